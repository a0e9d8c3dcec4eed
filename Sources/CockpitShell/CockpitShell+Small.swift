import CockpitPanes
import TerminalUI
import CockpitStores
import TerminalCore

/// A screen too small to show anything: it says so, and the effect of most keys would be invisible.
extension CockpitShell {
  /// Handles a key whose effect is invisible: only keys that quit or repair the screen work. With
  /// unfinished work the first quit key warns, and the second one quits.
  @MainActor mutating func pressUnseen(_ press: KeyPress, _ facts: ViewContext) -> [Effect] {
    if press.key == .char("c"), press.modifiers == .ctrl { return [.quit] }
    if press.key == .escape, press.modifiers.isEmpty {
      pending = []
      if !isWaitingToQuit { layers.remove(QuitPrompt.self) }
      return []
    }
    guard let command = sequence(press) else { return [] }
    switch command {
    case .quit: return isWaitingToQuit ? [] : [.quit]
    case .interrupt: return [.quit]
    case .repaint, .suspend: return perform(command, facts)
    default: return []
    }
  }

  private var isWaitingToQuit: Bool { layers.first(QuitPrompt.self)?.isWaiting == true }

  @MainActor func renderTooSmall(_ facts: ViewContext, into frame: inout Frame) {
    let need = PlainText("need \(LayoutClass.minimum.width)x\(LayoutClass.minimum.height)")
    let have = PlainText("have \(size.width)x\(size.height)")
    let prompt = layers.first(QuitPrompt.self)
    var words = prompt?.smallWords(UnfinishedWork(facts), key: keys.text(.quit)) ?? []
    words = words.flatMap { $0.wrapped(to: max(1, size.width), limit: 3) }
    let isQuitPending = !words.isEmpty
    if !isQuitPending { words = [keys.text(.quit) + " quits"] }
    // Losses come before known facts.
    var lines: [(text: PlainText, role: Role)] = words.map {
      ($0, isQuitPending ? .warning : .muted)
    }
    lines.insert((have, .muted), at: isQuitPending ? lines.count : 0)
    if !isQuitPending || size.height > 1 { lines.insert((need, .warning), at: 0) }
    if let note { lines.append((note, .info)) }
    let top = max(0, (size.height - lines.count) / 2)
    for (index, line) in lines.enumerated() {
      let x = max(0, (size.width - line.text.columns) / 2)
      frame.canvas.write(line.text.cut(to: size.width), x: x, y: top + index, role: line.role)
    }
  }
}
