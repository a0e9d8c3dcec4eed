import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

/// What a bundle would contain and what is redacted in it; Enter writes it.
struct BundleDialog: Overlay {
  /// So long before the playhead a bundle begins, unless told otherwise.
  static let standardMs: Int64 = 600_000
  private static let width = 76

  var title: PlainText { "bundle" }
  var keyLine: PlainText { "Enter writes it  Esc leaves" }

  mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .done([.bundle(.stop)])
    case (.enter, []):
      switch facts.bundle?.phase {
      case .preview: return .effects([.bundle(.write)])
      case .reading, .writing: return .stay
      case .done, .failed, nil: return .done([.bundle(.stop)])
      }
    default: return .stay
    }
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = min(Self.width, body.width)
    let lines = lines(facts.bundle).flatMap { $0.wrapped(to: max(1, width - 4)) }
    let height = min(body.height, lines.count + 2)
    let area = Rect(
      x: body.x + (body.width - width) / 2, y: body.y + (body.height - height) / 2, width: width,
      height: height)
    frame.canvas.clear(area)
    frame.canvas.panel(title, in: area, isFocused: true) { canvas in
      for (y, line) in lines.prefix(max(0, height - 2)).enumerated() {
        canvas.write(line.cut(to: max(0, width - 4)), x: 1, y: y, role: y == 0 ? .title : .text)
      }
    }
  }

  private func lines(_ state: BundleState?) -> [PlainText] {
    guard let state else { return ["nothing is being made"] }
    var head: [PlainText] = ["the last " + state.length + " as one file: " + state.path]
    if !state.note.isEmpty { head.append("note: " + state.note) }
    switch state.phase {
    case .reading: return head + ["looking up what it would contain ..."]
    case .preview(let lines): return head + [""] + lines + ["", "Enter writes it, Esc leaves"]
    case .writing: return head + ["writing it, and reading it again ..."]
    case .done(let lines): return head + [""] + lines
    case .failed(let words): return head + [words]
    }
  }
}

extension CockpitShell {
  /// Shows what a bundle would contain.
  mutating func openBundle(lengthMs: Int64, note: String) -> [Effect] {
    if layers.first(BundleDialog.self) == nil { layers.push(BundleDialog()) }
    return [.bundle(.preview(lengthMs: lengthMs, note: note))]
  }
}
