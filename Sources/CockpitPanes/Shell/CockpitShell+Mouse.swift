import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension CockpitShell {
  @MainActor mutating func click(
    _ kind: MouseKind, _ targets: [Frame.Target], _ facts: Facts
  ) -> [Effect] {
    switch kind {
    case .wheelUp, .wheelDown:
      wheel(kind == .wheelUp ? -3 : 3, on: targets, facts)
    case .wheelLeft, .wheelRight:
      if help == nil { return perform(kind == .wheelLeft ? .scrollLeft : .scrollRight, facts) }
    case .down(0):
      pending = []
      if help != nil {
        if targets.isEmpty { help = nil }
        return []
      }
      guard let target = targets.first else { return [] }
      return press(target, facts)
    default: break
    }
    return []
  }

  @MainActor private mutating func wheel(_ lines: Int, on targets: [Frame.Target], _ facts: Facts) {
    if help != nil {
      help?.scroll(by: lines)
      return
    }
    if var overlay {
      overlay.wheel(lines, on: facts)
      self.overlay = overlay
      return
    }
    let body = body(facts)
    withPane { [size] pane in
      for target in targets {
        pane.wheel(lines, overMarked: target, on: facts, body: body, screen: size)
      }
    }
  }

  @MainActor private mutating func press(_ target: Frame.Target, _ facts: Facts) -> [Effect] {
    if let tab = target.as(Tab.self) {
      self.tab = tab
      return []
    }
    if let command = target.as(CockpitCommand.self) { return perform(command, facts) }
    if let item = target.as(OverlayItem.self) {
      guard var overlay else { return [] }
      let outcome = overlay.click(item.number, on: facts)
      self.overlay = overlay
      return follow(outcome, facts)
    }
    let body = body(facts)
    return withPane { [size] in
      $0.press(marked: target, on: facts, body: body, screen: size)
    }
  }
}
