import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The terminal's own cursor, which magnifiers, braille displays and input methods follow.
  @Suite("the cursor") struct CursorTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// Whether the last word about it was to show it.
    private func isVisible(_ cockpit: Cockpit) -> Bool {
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      let shown = text.range(of: "\u{1B}[?25h", options: .backwards)?.lowerBound
      let hidden = text.range(of: "\u{1B}[?25l", options: .backwards)?.lowerBound
      guard let shown else { return false }
      return hidden.map { $0 < shown } ?? true
    }

    @Test("it stays in the filter while rows come, and is on the selected row otherwise")
    func traffic() throws {
      let demo = try DemoBackend(["--flood", "20"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      let terminal = cockpit.pty.terminal
      #expect(!isVisible(cockpit))
      cockpit.type("j")
      try cockpit.see("a place") { _ in terminal.cursor.row > 1 }
      #expect(terminal.line(terminal.cursor.row).firstMatch(of: /\d\d:\d\d:\d\d/) != nil)
      cockpit.type("f")
      try cockpit.see("f>")
      cockpit.type("日本ab")
      cockpit.type("\u{1B}[D")
      try cockpit.see("日本ab")
      let row = try #require((0..<40).first { terminal.line($0).contains("日本ab") })
      let start = cockpit.pty.output.count
      // Frames of the streams: header, key figures, feed.
      for step in 1...5 {
        try cockpit.see("more bytes") { _ in cockpit.pty.output.count > start + 200 * step }
        #expect(terminal.cursor == (row, 9), "step \(step)")
        // A block cursor turns what is in reverse back.
        #expect(terminal[row, 9].text == "b" && !terminal[row, 9].reverse)
        #expect(isVisible(cockpit))
      }
      cockpit.type("\u{1B}")
      try cockpit.see("no field") { _ in !isVisible(cockpit) }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      // The shell's cursor is to be seen again.
      #expect(isVisible(cockpit))
    }
  }
}
