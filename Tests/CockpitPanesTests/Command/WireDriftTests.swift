import ClankyWire
import CockpitAnswers
import CockpitStores
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The line in CMD about what this version does not know.
@MainActor
@Suite struct WireDriftTests {
  private static let known = (1...6).map {
    Fixture.row($0, "14:3\($0):00.000", "sent_reply", content: "fine")
  }
  private static let strange = [
    Fixture.row(
      1, "14:02:00.000", "tea_served", content: "for Nadia",
      metadata: #"{"shelfLife":3,"durationMs":5}"#),
    Fixture.row(2, "14:03:00.000", "tea_spilled", content: "on Nadia"),
    Fixture.row(3, "14:31:00.000", "sent_reply", content: "fine"),
  ]

  private func draw(_ rows: [String], _ size: Size) -> String {
    var fixture = CommandFixture(base: Fixture(rows: rows))
    fixture.fillStatus()
    var shell = CockpitShell(tab: .cmd, size: size)
    return fixture.draw(&shell).frame.canvas.text
  }

  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  @Test("it counts what is not known, says since when and where the list is", arguments: sizes)
  func line(size: Size) throws {
    var fixture = CommandFixture(base: Fixture(rows: Self.strange))
    fixture.fillStatus()
    var shell = CockpitShell(tab: .cmd, size: size)
    let canvas = fixture.draw(&shell).frame.canvas
    let text = canvas.text
    #expect(text.contains("WIRE ") && text.contains("2 kinds, 1 field unk"), "\(text)")
    #expect(!text.contains("tea_") && !text.contains("shelf"), "names are in the report")
    try expectGolden(canvas, "cmd-wire-\(size.width)x\(size.height)")
  }

  @Test("a backend of which everything is known has no such line", arguments: sizes)
  func nothing(size: Size) {
    #expect(!draw(Self.known, size).contains("WIRE"))
  }

  @Test("rows that this program makes of a gateway's events are none of the backend's")
  func ownRows() {
    let own = Fixture.row(
      1, "14:02:00.000", "node_connected", content: "x", metadata: #"{"source":"openclaw"}"#)
    #expect(!draw([own], Self.sizes[1]).contains("WIRE"))
  }

  @Test("a frame reads a bounded number of rows, and every unknown kind is found in the end")
  func bounded() throws {
    var rows = (1...3_000).map { number in
      Fixture.row(number, "14:\(10 + number / 200):00.000", "sent_reply", content: "fine")
    }
    // The first of the list is the newest.
    rows[2_990] = Fixture.row(2_991, "14:24:00.000", "tea_served")
    let fixture = Fixture(rows: rows)
    let log = fixture.activity.log
    var drift = WireDrift()
    drift.follow(log)
    #expect(drift.shown == nil, "only the newest rows were read")
    var frames = 1
    while drift.shown == nil, frames < 1_000 {
      drift.follow(log)
      frames += 1
    }
    #expect(drift.shown?.kinds == ["tea_served"])
    #expect(frames >= 3_000 / WireDrift.rowsPerFrame, "\(frames)")
  }

  @Test("Enter on it shows the rows of unknown kinds; K says what the line means")
  func keys() {
    var fixture = CommandFixture(base: Fixture(rows: Self.strange))
    fixture.fillStatus()
    var shell = CockpitShell(tab: .cmd, size: Self.sizes[1])
    _ = fixture.draw(&shell)
    let row = ConnectionPanel(
      facts: fixture.facts(shell), width: 60,
      drift: .init(words: "2 kinds unknown", sinceMs: 0, kinds: ["a", "b"])
    ).rows.first { $0.line.spans.first?.text.description.hasPrefix("WIRE") == true }
    #expect(row?.item == .rows("kind:a|b"))
    #expect(
      ExplainedName.texts(of: ExplainedName.all(label: "WIRE", line: "WIRE")).first?.name == "WIRE")
  }
}
