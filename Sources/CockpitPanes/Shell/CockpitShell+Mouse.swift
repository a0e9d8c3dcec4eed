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
    for target in targets {
      switch target {
      case .pulse(let target):
        pulse.wheel(lines, over: target, on: facts, body: body, screen: size)
      case .voice(let target):
        voice.wheel(lines, over: target, on: facts, body: body, screen: size)
      case .brain(let target):
        brain.wheel(lines, over: target, on: facts, body: body, screen: size)
      case .memory(let target):
        memory.wheel(lines, over: target, on: facts, body: body, screen: size)
      case .command(let target):
        command.wheel(lines, over: target, on: facts, body: body, screen: size)
      case .tab, .hint, .help, .overlay: break
      }
    }
  }

  @MainActor private mutating func press(_ target: Frame.Target, _ facts: Facts) -> [Effect] {
    let body = body(facts)
    switch target {
    case .tab(let tab): self.tab = tab
    case .hint(let command): return perform(command, facts)
    case .overlay(let item):
      guard var overlay else { return [] }
      let outcome = overlay.click(item, on: facts)
      self.overlay = overlay
      return follow(outcome, facts)
    case .pulse(let target): return pulse.press(target, on: facts, body: body, screen: size)
    case .voice(let target): return voice.press(target, on: facts, body: body, screen: size)
    case .brain(let target): return brain.press(target, on: facts, body: body, screen: size)
    case .memory(let target): return memory.press(target, on: facts, body: body, screen: size)
    case .command(let target): return command.press(target, on: facts, body: body, screen: size)
    case .help: break
    }
    return []
  }
}
