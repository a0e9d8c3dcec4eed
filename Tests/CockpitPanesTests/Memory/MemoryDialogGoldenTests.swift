import TerminalUI
import ClankyWire
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct MemoryDialogGoldenTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 60, height: 20), Size(width: 40, height: 10),
  ]

  private func expect(_ fixture: inout DialogFixture, _ name: String, _ size: Size) throws {
    try expectGolden(
      fixture.canvas(size), "memory-dialog-\(name)-\(size.width)x\(size.height)")
  }

  @Test("the form: fresh, changed from a draft, with problems, hostile", arguments: sizes.ends)
  func form(size: Size) throws {
    var fresh = DialogFixture()
    fresh.open()
    try expect(&fresh, "form", size)

    var changed = DialogFixture()
    changed.open()
    changed.type("C-a C-k")
    changed.write("Prefers concise responses; no preamble")
    changed.type("Tab Right Tab S-Right")
    let draft = try #require(changed.kept)
    changed.memory.drafts[1042] = draft
    changed.memory.facts.merge(
      [DialogFixture.fact(1042, "Prefers short answers", evidence: "stop being so verbose")],
      guild: DialogFixture.guild)
    changed.open()
    try expect(&changed, "form-draft", size)

    var wrong = DialogFixture()
    wrong.open()
    wrong.type("S-Tab C-a C-k Tab Tab Tab C-a C-k")
    wrong.write("a lot")
    wrong.type("Tab")
    wrong.paste(String(repeating: "so verbose\n", count: 24))
    wrong.type("C-s")
    try expect(&wrong, "form-problems", size)

    var hostile = DialogFixture()
    hostile.open(DialogFixture.hostile)
    hostile.type("C-a")
    hostile.write("x")
    try expect(&hostile, "form-hostile", size)
  }

  @Test("what became of a sent edit", arguments: sizes.ends)
  func answers(size: Size) throws {
    let theirs = DialogFixture.fact(
      1042, "Prefers concise answers, and dislikes preamble", type: .guidance,
      evidence: "stop being so verbose", confidence: 0.9, updated: "2026-03-01T14:29:09Z")
    for (name, state): (String, FactChange.State) in [
      ("checking", .checking), ("conflict", .conflict(theirs: theirs)), ("gone", .gone),
      ("duplicate", .refused(.duplicate)),
      ("unknown", .unknown("No answer came within 10 s after the change was sent.")),
      ("stored-cut", .stored(theirs, cut: [.fact, .factType])),
      ("conflict-hostile", .conflict(theirs: DialogFixture.hostile)),
    ] {
      var fixture = DialogFixture()
      fixture.open()
      fixture.type("C-e")
      fixture.write(" in every channel")
      fixture.answer(state)
      try expect(&fixture, name, size)
    }
  }

  @Test(
    "the questions: one fact, many, a type for many, how far it is, quitting", arguments: sizes.ends
  )
  func questions(size: Size) throws {
    var one = DialogFixture()
    one.askToDelete([1042])
    try expect(&one, "delete", size)

    let facts =
      [DialogFixture.hostile]
      + (1...14).map { DialogFixture.fact($0, "Fact number \($0) of many that are to go") }
    var many = DialogFixture(facts)
    many.askToDelete([66] + Array(1...14))
    many.write("1")
    try expect(&many, "delete-many", size)

    var type = DialogFixture(facts)
    type.askToRetype(Array(1...14))
    type.type("Right Enter")
    type.write("13")
    type.type("Enter")
    try expect(&type, "retype", size)

    type.type("Backspace")
    type.write("4")
    type.type("Enter")
    var bulk = BulkChange(verb: .retype, total: 14)
    bulk.done = 3
    bulk.failures = [3: "Another fact says the same already.", 5: "\u{1B}[31mbad gateway"]
    type.memory.bulk = bulk
    try expect(&type, "retype-running", size)
    bulk.isRunning = false
    type.memory.bulk = bulk
    try expect(&type, "retype-ended", size)

    var quitting = DialogFixture()
    quitting.memory.deletions = [
      HeldDeletion(id: 1, facts: [DialogFixture.plain], dueNs: Fixture.monotonicNs + 9_000_000_000)
    ]
    var frame = Frame(size: size)
    QuitPrompt().render(
      quitting.facts(), in: Rect(y: 1, width: size.width, height: size.height - 2), into: &frame)
    try expectGolden(
      frame.canvas, "memory-dialog-quit-\(size.width)x\(size.height)")
  }

  @Test("no size from 1x1 up breaks a dialog")
  func sizes() {
    for width in [1, 2, 3, 7, 12, 20, 39, 40, 59, 60, 72, 99, 100, 160, 250] {
      for height in [1, 2, 3, 4, 5, 6, 9, 10, 19, 24, 60] {
        let size = Size(width: width, height: height)
        var form = DialogFixture()
        form.open(DialogFixture.hostile)
        form.write("x")
        #expect(form.canvas(size).size == size)
        form.answer(.conflict(theirs: DialogFixture.plain))
        #expect(form.canvas(size).size == size)
        form.askToDelete([66, 1042])
        #expect(form.canvas(size).size == size)
      }
    }
  }
}
