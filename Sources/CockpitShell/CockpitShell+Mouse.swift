import CockpitPanes
import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension CockpitShell {
  @MainActor mutating func click(
    _ kind: MouseKind, _ targets: [Frame.Target], _ facts: ViewContext
  ) -> [Effect] {
    switch kind {
    case .wheelUp, .wheelDown:
      wheel(kind == .wheelUp ? -3 : 3, on: targets, facts)
    case .wheelLeft, .wheelRight:
      if !layers.isModal { return perform(kind == .wheelLeft ? .scrollLeft : .scrollRight, facts) }
    case .down(0):
      pending = []
      if let effects = layers.handle(.click(targets), context(facts)) { return effects }
      guard let target = targets.first else { return [] }
      return press(target, facts)
    case .drag(0) where layers.isModal:
      return layers.handle(.drag(targets), context(facts)) ?? []
    default: break
    }
    return []
  }

  @MainActor private mutating func wheel(
    _ lines: Int, on targets: [Frame.Target], _ facts: ViewContext
  ) {
    guard layers.handle(.wheel(lines, targets), context(facts)) == nil else { return }
    let (body, screen) = place()
    withPane { pane in
      for target in targets {
        pane.wheel(lines, overMarked: target, on: facts, body: body, screen: screen)
      }
    }
  }

  @MainActor mutating func press(_ target: Frame.Target, _ facts: ViewContext) -> [Effect] {
    if let tab = target.as(Tab.self) {
      self.tab = tab
      return []
    }
    if let figure = target.as(RowsBehind.self) { return followed(figure.effects(facts), facts) }
    if let command = target.as(KeyAction.self) { return perform(command, facts) }
    let (body, screen) = place()
    return withPane { $0.press(marked: target, on: facts, body: body, screen: screen) }
  }
}
