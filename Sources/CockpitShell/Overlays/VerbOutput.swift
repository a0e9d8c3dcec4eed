import CockpitPanes
import TerminalUI
import CockpitText
import TerminalCore

/// The output of a verb, over the open tab: scrolling text.
package struct VerbOutput: Overlay {
  /// How a run ended.
  package enum End: Hashable, Sendable {
    case exited(Int32)
    /// It took longer than it may, in seconds.
    case timedOut(seconds: Int)
    /// It said more than is kept, in bytes.
    case tooMuch(limit: Int)
    /// The user ended it.
    case cancelled
  }

  /// The arguments of the program.
  package let words: [String]
  private var end: End?
  private var lines: [PlainText] = []
  /// The lines at the width of the last frame.
  private var rows: [PlainText] = []
  private var width = 0
  private var height = 1
  private var first = 0
  private var column = 0
  private var isWrapped = true
  /// Until then, on the monotonic clock, a verb with `--hold` changes nothing. The verb reads before it waits, so it
  /// begins later than this.
  private let heldUntilNs: UInt64
  /// How long that is from the last frame or key, in s.
  private var secondsHeld = 0
  /// Whether it was cancelled while it was held.
  private var isTakenBack = false

  /// - Parameter nowNs: the monotonic time before the verb starts.
  package init(_ words: [String], nowNs: UInt64) {
    self.words = words
    heldUntilNs = nowNs + UInt64(Self.hold(of: words)) * 1_000_000_000
  }

  /// The value of `--hold` in s, as `:forget` writes it; 0 without it.
  private static func hold(of words: [String]) -> Int {
    guard let option = words.firstIndex(of: "--hold"), option + 1 < words.count else { return 0 }
    return Int(words[option + 1].prefix { $0.isNumber }) ?? 0
  }

  private mutating func countDown(_ nowNs: UInt64) {
    guard isRunning, !isTakenBack else { return }
    secondsHeld = nowNs < heldUntilNs ? Int((heldUntilNs - nowNs + 999_999_999) / 1_000_000_000) : 0
  }

  package var isRunning: Bool { end == nil }

  /// The command line.
  private var line: String { words.map(ShellWords.quoted).joined(separator: " ") }

  package var title: PlainText { PlainText(line, limit: 200) }

  package var keyLine: PlainText {
    isRunning
      ? secondsHeld > 0
        ? "u takes it back  Esc closes and takes it back" : "C-c ends it  Esc closes and ends it"
      : "j k scroll  w \(isWrapped ? "unwraps" : "wraps")  y copies  : next verb  Esc closes"
  }

  package mutating func take(_ output: [UInt8], _ end: End) {
    self.end = end
    width = 0
    // What it said before it would have begun is no result.
    if isTakenBack { return }
    lines = PlainText.lines(String(decoding: output, as: UTF8.self))
    // If the output was cut, say so at its end.
    switch end {
    case .timedOut, .tooMuch:
      if !lines.isEmpty, let sentence = end.sentence { lines.append(sentence) }
    default: break
    }
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    countDown(facts.monotonicNs)
    switch (press.key, press.modifiers) {
    case (.char("u"), []) where isRunning && secondsHeld > 0,
      (.char("c"), .ctrl) where isRunning && secondsHeld > 0:
      isTakenBack = true
      return .effects([.cancelVerb])
    case (.char("c"), .ctrl): return isRunning ? .effects([.cancelVerb]) : .close
    case (.escape, []), (.char("q"), []), (.enter, []):
      return isRunning ? .done([.cancelVerb]) : .close
    case (.char("j"), []), (.down, []): first += 1
    case (.char("k"), []), (.up, []): first -= 1
    case (.pageDown, []), (.char("f"), .ctrl), (.char(" "), []): first += height
    case (.pageUp, []), (.char("b"), .ctrl): first -= height
    case (.char("d"), .ctrl): first += max(1, height / 2)
    case (.char("u"), .ctrl): first -= max(1, height / 2)
    case (.char("g"), []), (.home, []): first = 0
    case (.char("G"), _), (.end, []): first = rows.count
    case (.char("h"), []), (.left, []), (.char("H"), _): column = max(0, column - 10)
    case (.char("l"), []), (.right, []), (.char("L"), _): if !isWrapped { column += 10 }
    case (.char("w"), []):
      isWrapped.toggle()
      column = 0
      width = 0
    case (.char(":"), _) where !isRunning: return .done([.line("", isWhole: false)])
    case (.char("y"), []) where !isRunning:
      let text = lines.map(\.description).joined(separator: "\n")
      return .effects([.copy(text: text + "\n", what: "what it said")])
    default: break
    }
    return .stay
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) { first += lines }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    countDown(facts.monotonicNs)
    let wanted = max(1, screen.width - 4)
    if wanted != width {
      width = wanted
      rows = isWrapped ? lines.flatMap { $0.wrapped(to: wanted) } : lines
    }
    height = Swift.max(1, screen.height - 5)
    let longest = isWrapped ? 0 : rows.map(\.columns).max() ?? 0
    column = min(column, max(0, longest - wanted))
    first = min(max(0, first), max(0, rows.count - height))
  }

  // MARK: Drawing

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    frame.canvas.clear(body)
    let (words, role) = state
    let room = max(0, body.height - 2)
    let last = min(rows.count, first + room)
    let place: PlainText =
      rows.count > room ? PlainText("  \(first + 1)-\(last)/\(rows.count)") : ""
    let trailing = (":" + title).cut(to: max(8, body.width - 40)) + "  " + words + place
    let heading = frame.owned("output")
    frame.canvas.panel(heading, trailing: trailing, in: body, isFocused: true) { canvas in
      if let sentence {
        let lines = sentence.wrapped(to: max(1, canvas.bounds.width - 2), limit: 3)
        if rows.isEmpty {
          for (y, line) in lines.enumerated() { canvas.write(line, x: 1, y: y, role: role) }
        }
      }
      for (y, row) in rows.dropFirst(first).prefix(canvas.bounds.height).enumerated() {
        canvas.write(
          row.dropFirst(columns: column).cut(to: canvas.bounds.width - 2), x: 1, y: y)
      }
    }
  }

  /// The state, for the heading.
  private var state: (PlainText, Role) {
    switch end {
    case nil where secondsHeld > 0: (PlainText("HELD \(secondsHeld) s"), .warning)
    case nil: ("RUNNING", .info)
    case .exited(0): ("done", .muted)
    case .exited(let code): (PlainText("exit \(code)"), .warning)
    case .timedOut(let seconds): (PlainText("ended after \(seconds) s"), .warning)
    case .tooMuch: ("CUT", .warning)
    case .cancelled where isTakenBack: ("taken back", .muted)
    case .cancelled: ("cancelled", .muted)
    }
  }

  /// Shown if there is no output.
  private var sentence: PlainText? {
    switch end {
    case nil where secondsHeld > 0:
      PlainText(
        "Nothing is changed for \(secondsHeld) s yet, then it begins. u takes it back.")
    case nil: "running; C-c ends it"
    case .cancelled where isTakenBack: "Taken back: nothing was changed."
    case .exited(0): "it said nothing, and it is done"
    default: end?.sentence ?? "it said nothing"
    }
  }
}

extension VerbOutput.End {
  /// A note about the end; nil if the run succeeded.
  package var sentence: PlainText? {
    switch self {
    case .exited(0), .cancelled: nil
    case .exited(let code): PlainText("It ended with exit code \(code).")
    case .timedOut(let seconds):
      PlainText("It took longer than \(seconds) s and was ended; run it in a shell.")
    case .tooMuch(let limit): "It said more than " + Figures.bytes(limit) + "; the rest is cut."
    }
  }
}
