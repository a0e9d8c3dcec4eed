import CockpitText
import TerminalCore
import Testing

@testable import CockpitCLI

/// Which lines of which sources a glance shows.
@MainActor
@Suite struct GlanceLayoutTests {
  private func view(_ name: String?, _ words: [String], urgent: Int, code: Int32) -> GlanceView {
    GlanceView(
      name: name, lines: words.map { [GlanceText.Span(PlainText($0))] }, urgent: urgent,
      detail: nil, exitCode: code)
  }

  private func text(_ layout: GlanceLayout, _ lines: Int, columns: Int = 80) -> [String] {
    layout.lines(lines, columns: columns).map { $0.map(\.text.description).joined() }
  }

  @Test("one source has its own lines, cut to the width")
  func one() {
    let layout = GlanceLayout([view(nil, ["first", "second", "third"], urgent: 1, code: 1)])
    #expect(text(layout, 2) == ["first", "second"])
    #expect(text(layout, 3, columns: 4) == ["fir…", "sec…", "thi…"])
    #expect(layout.exitCode == 1)
  }

  @Test(
    "of several the first lines come first, the worst before; then what is urgent, then the rest")
  func several() {
    let layout = GlanceLayout([
      view("calm", ["ok", "quiet"], urgent: 1, code: 0),
      view("claw", ["waits", "a command"], urgent: 2, code: 1),
      view("away", ["unreachable", "refused"], urgent: 2, code: 3),
    ])
    #expect(
      text(layout, 6) == [
        "away  unreachable", "claw  waits", "calm  ok", "away  refused", "claw  a command",
        "calm  quiet",
      ])
    #expect(text(layout, 4).last == "away  refused")
    #expect(layout.exitCode == 3)
  }

  @Test("sources that do not fit are counted, and the worst is never among them")
  func many() {
    var views = (0..<9).map { view("b\($0)", ["ok"], urgent: 1, code: 0) }
    views.append(view("bad", ["unauthorized"], urgent: 1, code: 4))
    let lines = text(GlanceLayout(views), 5)
    #expect(lines.count == 5 && lines.first == "bad  unauthorized")
    #expect(lines.last == "and 6 more sources")
  }
}
