import TerminalUI
import ClankyWire
import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitStores

@MainActor
@Suite struct MemoryDialogTests {
  // MARK: The fields

  @Test("every change is kept as a draft, and none that leads back to the fact")
  func keeps() throws {
    var fixture = DialogFixture()
    fixture.open()
    fixture.write("!")
    #expect(fixture.kept?.edit.fact == DialogFixture.plain.fact.map { $0 + "!" })
    #expect(fixture.kept?.base == DialogFixture.plain)
    #expect(fixture.effects.count == 1)
    fixture.type("Backspace")
    #expect(fixture.effects.last == .memory(.dropDraft(factID: 1042)))
    fixture.type("Left Home End")
    #expect(fixture.effects.count == 2, "moving keeps nothing")
    fixture.paste("a\nb\tc")
    #expect(fixture.kept?.edit.fact.hasSuffix("a b c") == true)
    #expect(fixture.writes.isEmpty)
  }

  @Test("a draft that is not on the disk is not called kept (promise P8)")
  func unsaved() throws {
    var fixture = DialogFixture()
    fixture.open()
    fixture.write("!")
    let draft = try #require(fixture.kept)
    fixture.memory.drafts[1042] = draft
    #expect(fixture.text().contains("draft kept, not sent"))
    fixture.memory.unsavedDrafts = [1042]
    #expect(fixture.text().contains("in memory only, not sent"))
    #expect(fixture.form?.keyLine(fixture.facts()).description.contains("kept") == false)
    fixture.memory.changes[1042] = FactChange(draft, keeping: .memory)
    let text = fixture.text()
    #expect(text.contains("in memory only") && !text.contains("Your text is kept"))
  }

  @Test("a draft that was sent before a crash is not called unsent (promise P8)")
  func doubtful() throws {
    var fixture = DialogFixture()
    fixture.open()
    fixture.write("!")
    let draft = try #require(fixture.kept)
    var after = DialogFixture.plain
    after.fact = draft.edit.fact
    fixture.memory.drafts[1042] = draft
    fixture.memory.doubtfulEdits[1042] = JournalEntry(
      write: "w", atMs: Fixture.nowMs - 60_000, backend: "", guild: "", verb: .edit, factID: 1042,
      before: DialogFixture.plain, after: after, outcome: .sending)
    fixture.open()
    func words() -> String { fixture.text().split { " │\n".contains($0) }.joined(separator: " ") }
    #expect(words().contains("draft kept, outcome unknown"))
    #expect(words().contains("what came of it is unknown"))
    #expect(words().contains("still says what it said before"))
    fixture.memory.facts.merge([after], guild: DialogFixture.guild)
    #expect(words().contains("read again and says what was sent"))
    after.fact = "something else"
    fixture.memory.facts.merge([after], guild: DialogFixture.guild)
    #expect(words().contains("read again and says something else"))
    // A draft that starts from another text has nothing to do with it.
    var later = draft
    later.base.fact = "something else"
    fixture.memory.drafts[1042] = later
    fixture.open()
    #expect(words().contains("draft kept, not sent") && !words().contains("unknown"))
  }

  @Test("Tab, arrows and Enter walk the fields; Enter never comes to a button")
  func walks() throws {
    var fixture = DialogFixture()
    fixture.open()
    #expect(fixture.form?.focus == .field(.fact))
    fixture.type("S-Tab")
    #expect(fixture.form?.focus == .field(.subject))
    for _ in 0..<12 { fixture.type("Enter") }
    #expect(fixture.form?.focus == .field(.evidence))
    fixture.type("Tab")
    #expect(fixture.form?.focus == .button(.send))
    fixture.type("Right Right")
    #expect(fixture.form?.focus == .button(.drop))
    fixture.write("z")
    #expect(fixture.form?.focus == .field(.evidence), "whoever types means the text")
    #expect(fixture.kept?.edit.evidenceText == "stop being so verbosez")
    #expect(fixture.writes.isEmpty)
  }

  @Test("a number with the noise of binary fractions is shown rounded, and sent as it is")
  func noisyConfidence() {
    let noisy = 0.8099999999999999
    #expect(ConfidenceText.text(noisy) == "0.81" && ConfidenceText.text(0.123456) == "0.1235")
    #expect(ConfidenceText.text(1e308) == "1e+308" && ConfidenceText.text(nil) == "")
    #expect(ConfidenceText.texts(noisy, 0.81) == ("0.8099999999999999", "0.81"))
    #expect(ConfidenceText.texts(noisy, 0.9) == ("0.81", "0.9"))
    let fact = DialogFixture.fact(9, "Likes tea", confidence: noisy)
    var fixture = DialogFixture([fact])
    fixture.open(fact)
    #expect(fixture.form?.fields[.confidence].text == "0.81" && fixture.form?.isChanged == false)
    fixture.write("!")
    #expect(fixture.kept?.edit.confidence == noisy)
    fixture.type("Tab Tab Right")
    #expect(fixture.kept?.edit.confidence == 0.82)
    #expect(!fixture.text(Size(width: 120, height: 40)).contains("0.8099"))
    fixture.type("Left")
    #expect(fixture.kept?.edit.confidence == noisy)
    // A draft with all digits, as the command line leaves it.
    let draft = FactDraft(
      edit: fixture.form?.edit
        ?? FactEdit(
          factID: 9, target: .guild(DialogFixture.guild), subject: "", fact: "", confidence: noisy),
      confidenceText: "\(noisy)", base: fact, changedAtMs: 1)
    fixture.memory.drafts[9] = draft
    fixture.open(fact)
    #expect(fixture.form?.fields[.confidence].text == "0.81")
    #expect(fixture.form?.edit.confidence == noisy)
  }

  @Test("the confidence keeps what was typed and steps by decimals")
  func confidence() throws {
    var fixture = DialogFixture()
    fixture.open()
    fixture.type("Tab Tab")
    #expect(fixture.form?.focus == .field(.confidence))
    #expect(fixture.form?.fields[.confidence].text == "0.825")
    fixture.type("Right")
    #expect(fixture.kept?.confidenceText == "0.835")
    fixture.type("S-Right")
    #expect(fixture.kept?.confidenceText == "0.935")
    fixture.type("L")
    #expect(fixture.kept?.confidenceText == "1")
    fixture.type("h H")
    #expect(fixture.kept?.confidenceText == "0.89")
    fixture.type("C-u")
    fixture.write("0,50")
    #expect(fixture.kept?.confidenceText == "0,50")
    #expect(fixture.kept?.edit.confidence == 0.5)
    fixture.write("x")
    #expect(fixture.kept?.edit.confidence == nil)
    fixture.type("C-s")
    #expect(fixture.writes.isEmpty)
    #expect(fixture.text().contains("must be a number from 0 to 1"))
    #expect(ConfidenceText.value(ConfidenceText.text(0.00001)) == 0.00001)
    #expect(ConfidenceText.stepped("0.3", by: -ConfidenceText.largeStep) == "0.2")
    for text in ["nan", "inf", "0x1p-1", "1e999", "", ".", "1.2.3", "٣", "--1"] {
      #expect(ConfidenceText.value(text) == nil, "\(text)")
    }
  }

  @Test("the type is chosen from the seven, or typed")
  func types() {
    var fixture = DialogFixture()
    fixture.open()
    fixture.type("Tab Right")
    #expect(fixture.kept?.edit.factType == "profile")
    fixture.type("Left Left")
    #expect(fixture.kept?.edit.factType == "other")
    fixture.type("C-u")
    fixture.write("Weather")
    #expect(fixture.kept?.edit.factType == "Weather")
    #expect(fixture.text().contains("a type of your own"))
    fixture.type("Right")
    #expect(fixture.kept?.edit.factType == "preference" || fixture.form?.isChanged == false)
  }

  @Test("undo and redo go over all fields, word by word")
  func undo() {
    var fixture = DialogFixture()
    fixture.open()
    let start = fixture.form?.fields[.fact].text
    fixture.write(" one two")
    fixture.type("Tab Right")
    fixture.type("C-_")
    #expect(fixture.form?.fields[.type].text == "preference")
    fixture.press(KeyPress(.char("/"), .ctrl))
    #expect(fixture.form?.fields[.fact].text.hasSuffix(" one ") == true)
    fixture.type("C-x u C-x C-u C-_ C-_")
    #expect(fixture.form?.fields[.fact].text == start)
    #expect(fixture.effects.last == .memory(.dropDraft(factID: 1042)))
    fixture.type("C-_")
    #expect(fixture.text().contains("nothing more to take back"))
    fixture.type("C-r C-r C-r C-r C-r C-r")
    #expect(fixture.form?.fields[.fact].text.hasSuffix(" one two") == true)
    #expect(fixture.form?.fields[.type].text == "profile")
  }

  @Test("counters count as the backend does, and too long is refused")
  func limits() {
    var fixture = DialogFixture()
    fixture.open()
    fixture.type("C-u")
    fixture.paste(String(repeating: "𝄞", count: 200))
    #expect(fixture.text(Size(width: 120, height: 40)).contains("400/400"))
    #expect(fixture.form?.edit.problems.isEmpty == true)
    fixture.write("x")
    #expect(fixture.text(Size(width: 120, height: 40)).contains("401/400"))
    fixture.type("C-s")
    #expect(fixture.writes.isEmpty)
    #expect(fixture.text(Size(width: 120, height: 40)).contains("1 character too long"))
    fixture.paste(String(repeating: "  \n ", count: 50))
    #expect(fixture.form?.edit.units(of: .fact) == 401, "white space is collapsed")
  }

  // MARK: Sending, closing, dropping

  @Test("Ctrl-S and Enter on SEND send what was typed, once for each press")
  func sends() throws {
    var fixture = DialogFixture()
    fixture.open()
    fixture.type("C-s")
    #expect(fixture.writes.isEmpty, "nothing is changed")
    fixture.write("!")
    let draft = try #require(fixture.kept)
    fixture.type("C-s")
    #expect(fixture.writes == [.send(draft, overwriting: nil)])
    fixture.answer(.checking)
    fixture.type("C-s Enter C-s x")
    #expect(fixture.writes.count == 1, "one at a time")
    #expect(fixture.isClosed, "Enter on CLOSE; it goes on")
    #expect(!fixture.effects.contains(.memory(.dropDraft(factID: 1042))))

    var button = DialogFixture()
    button.open()
    button.write("!")
    button.type("Tab Tab Tab Tab Enter")
    #expect(button.writes == [.send(draft, overwriting: nil)])
  }

  @Test("Esc keeps the draft; it is dropped only when asked for twice")
  func drops() {
    var fixture = DialogFixture()
    fixture.open()
    fixture.write("!")
    fixture.type("Esc")
    #expect(fixture.isClosed)
    #expect(!fixture.effects.contains(.memory(.dropDraft(factID: 1042))))

    fixture.open()
    fixture.write("!")
    fixture.type("C-x C-d")
    fixture.type("Left Right")
    fixture.type("Enter")
    #expect(!fixture.effects.contains(.memory(.dropDraft(factID: 1042))))
    fixture.type("Enter")
    #expect(fixture.effects.last == .memory(.dropDraft(factID: 1042)))
    #expect(fixture.dialog == nil)
  }

  @Test("a draft comes back with its age, and says when the fact has changed since")
  func restores() throws {
    var fixture = DialogFixture()
    fixture.open()
    fixture.type("C-u")
    fixture.write("mine")
    var draft = try #require(fixture.kept)
    draft.changedAtMs -= 180_000
    fixture.memory.drafts[1042] = draft
    fixture.open()
    #expect(fixture.form?.fields[.fact].text == "mine")
    #expect(fixture.text().contains("Your draft from 3m ago is here again."))
    #expect(!fixture.text().contains("has changed since"))
    fixture.memory.facts.merge(
      [DialogFixture.fact(1042, "theirs")], guild: DialogFixture.guild)
    #expect(fixture.text().contains("has changed since you began"))
    fixture.type("C-s")
    #expect(
      fixture.writes == [
        .send(try #require(fixture.form?.draft(fixture.facts())), overwriting: nil)
      ]
    )
    #expect(fixture.form?.base == DialogFixture.plain, "the desk compares with the old base")
  }

  @Test("nothing is edited, deleted or retyped read-only, nor a fact without identity")
  func readOnly() {
    var fixture = DialogFixture()
    var facts = fixture.facts()
    #expect(MemoryDialog.edit(Fact(fact: "no id"), on: facts) == nil)
    #expect(MemoryDialog.delete([7, 8], on: facts) == nil, "unknown ids")
    facts.isReadOnly = true
    #expect(MemoryDialog.edit(DialogFixture.plain, on: facts) == nil)
    #expect(MemoryDialog.delete([1042], on: facts) == nil)
    #expect(MemoryDialog.retype([1042], on: facts) == nil)
    #expect(MemoryDialog.editExternally(DialogFixture.plain, on: facts) == nil)
  }

  @Test("owner facts go to the owner's route, user facts under a guild that listed them")
  func targets() {
    var fixture = DialogFixture()
    let facts = fixture.facts()
    func target(_ fact: Fact) -> FactTarget? { FactForm(fact, on: facts)?.target }
    #expect(target(Fact(id: 1, scope: .owner, guildID: "1")) == .ownerPrivate)
    #expect(target(Fact(id: 1, subject: "__owner__")) == .ownerPrivate)
    #expect(target(Fact(id: 1, guildID: "7")) == .guild("7"))
    #expect(target(Fact(id: 1, scope: .user)) == .guild(DialogFixture.guild))
    #expect(target(DialogFixture.plain) == .guild(DialogFixture.guild))
  }

  // MARK: Answers

  @Test("a conflict: the start is harmless; theirs, mine, or going on with theirs as the base")
  func conflict() throws {
    let theirs = DialogFixture.fact(1042, "theirs")
    func conflicted() -> DialogFixture {
      var fixture = DialogFixture()
      fixture.open()
      fixture.type("C-u")
      fixture.write("mine")
      fixture.answer(.conflict(theirs: theirs))
      fixture.effects = []
      return fixture
    }
    var on = conflicted()
    let text = on.text()
    #expect(text.contains("theirs") && text.contains("mine") && text.contains("[EDIT ON]"))
    on.type("Enter")
    #expect(on.writes.isEmpty)
    #expect(on.form?.base == theirs)
    #expect(on.kept?.edit.fact == "mine" && on.kept?.base == theirs)
    #expect(on.effects.contains(.memory(.dismiss(factID: 1042))))

    var keep = conflicted()
    keep.type("Right Enter")
    #expect(keep.effects.isEmpty, "asks once more")
    keep.type("Enter")
    #expect(
      keep.effects == [.memory(.dropDraft(factID: 1042)), .memory(.dismiss(factID: 1042))])

    var send = conflicted()
    let draft = try #require(send.memory.changes[1042]?.draft)
    send.type("Left Enter")
    #expect(send.writes == [.send(draft, overwriting: FactOverwrite(theirs: theirs))])

    var leave = conflicted()
    leave.type("Esc")
    #expect(leave.isClosed && leave.effects.isEmpty, "the list marks it, the draft stays")
  }

  @Test("every outcome is said in words, and only a stored one lets the draft go")
  func outcomes() {
    let stored = DialogFixture.fact(1042, "cut")
    for (state, words): (FactChange.State, String) in [
      (.checking, "being read again"), (.sending, "being sent"),
      (.verifying, "to find out whether"), (.gone, "The fact is gone"),
      (.refused(.duplicate), "Another fact says the same already"),
      (.refused(.collision), "collides with an existing or deleted fact"),
      (.failed("The backend is not there."), "The backend is not there."),
      (.unknown("It timed out."), "It timed out."),
      (.stored(stored, cut: []), "The fact already says this"),
      (.stored(stored, cut: [.fact]), "backend changed the fact"),
    ] {
      var fixture = DialogFixture()
      fixture.open()
      fixture.write("!")
      fixture.answer(state)
      fixture.effects = []
      #expect(fixture.text().contains(words), "\(state)")
      #expect(!fixture.keyWords.isEmpty)
      fixture.paste("x\n")
      fixture.type("C-s x y D q Esc")
      #expect(fixture.writes.isEmpty, "\(state)")
      #expect(!fixture.effects.contains(.memory(.dropDraft(factID: 1042))), "\(state)")
      #expect(fixture.isClosed)
    }
  }

  @Test("after an unknown outcome the fact is read again, and what it says decides")
  func unknown() {
    var fixture = DialogFixture()
    fixture.open()
    fixture.type("C-u")
    fixture.write("mine")
    fixture.answer(.unknown("It timed out."))
    fixture.effects = []
    fixture.type("r")
    #expect(fixture.effects == [.memory(.load(guild: DialogFixture.guild))])
    #expect(fixture.text().contains("still says what it said before"))
    #expect(fixture.text().contains("[SEND AGAIN]"))
    fixture.memory.facts.merge([DialogFixture.fact(1042, "other")], guild: DialogFixture.guild)
    #expect(fixture.text().contains("something else"))
    fixture.memory.facts.merge(
      [DialogFixture.fact(1042, "mine", evidence: "stop being so verbose")],
      guild: DialogFixture.guild)
    #expect(fixture.text().contains("It was stored"))
    fixture.type("Enter")
    #expect(
      fixture.effects.suffix(2) == [
        .memory(.dropDraft(factID: 1042)), .memory(.dismiss(factID: 1042)),
      ])
  }

  @Test("after a failure: edit on with the same text, or send again at a key press")
  func failed() throws {
    var fixture = DialogFixture()
    fixture.open()
    fixture.write("!")
    fixture.answer(.failed("The backend is not there."))
    let draft = try #require(fixture.memory.changes[1042]?.draft)
    fixture.type("Right Enter")
    #expect(fixture.writes == [.send(draft, overwriting: nil)])
    fixture.type("Left Enter")
    fixture.memory.changes = [:]
    #expect(fixture.form?.fields[.fact].text.hasSuffix("!") == true)
    #expect(fixture.text().contains("[SEND]"))
  }

  // MARK: The editor

  @Test("the editor gets a file and gives the text back; a bad file is opened again")
  func editor() throws {
    var fixture = DialogFixture()
    let opened = try #require(
      MemoryDialog.editExternally(DialogFixture.plain, on: fixture.facts()))
    fixture.dialog = opened.dialog
    guard case .edit(let text)? = opened.effects.first else {
      Issue.record("no editor")
      return
    }
    #expect(text.contains("confidence: 0.825\n"))
    #expect(text.hasSuffix("\n\nPrefers concise responses without unnecessary preamble\n"))
    fixture.edited(nil)
    fixture.edited(text)
    #expect(fixture.effects.isEmpty)
    fixture.edited(
      text.replacing("without\u{20}unnecessary", with: "without\nany").replacing(
        "0.825", with: ".9"))
    #expect(fixture.kept?.edit.fact == "Prefers concise responses without any preamble")
    #expect(fixture.kept?.edit.confidence == 0.9)
    #expect(fixture.writes.isEmpty)
    fixture.type("C-_")
    #expect(fixture.effects.last == .memory(.dropDraft(factID: 1042)))
    fixture.edited("subjct: x\n\nlong words of mine")
    #expect(fixture.text().contains("Line 1 of the file"))
    fixture.effects = []
    fixture.type("C-x C-e")
    #expect(fixture.effects == [.edit(text: "subjct: x\n\nlong words of mine")])
  }

  @Test("a file holds no control characters, and what it cannot hold stays when left alone")
  func hostileFile() throws {
    var fixture = DialogFixture()
    let opened = try #require(
      MemoryDialog.editExternally(DialogFixture.hostile, on: fixture.facts()))
    fixture.dialog = opened.dialog
    guard case .edit(let text)? = opened.effects.first else {
      Issue.record("no editor")
      return
    }
    let bad = text.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value)
        || (0x202A...0x202E).contains($0.value)
    }
    #expect(bad.isEmpty)
    fixture.edited(text.replacing("ende", with: "end"))
    let subject = try #require(DialogFixture.hostile.subject)
    #expect(fixture.kept?.edit.subject == subject)
    #expect(fixture.kept?.edit.fact.contains("作者喜欢短回答") == true)
    fixture.edited("# nothing\n\n")
    #expect(fixture.text().contains("The file was empty"))
    #expect(
      try FactDocument.read("subject: a\ntype:\nconfidence: 1\nevidence:\n\n# not a comment")?
        .fact == "# not a comment")
  }

  // MARK: Questions

  @Test("deleting: named, warned, cancelled by any other key, done by y and Enter")
  func delete() {
    var fixture = DialogFixture()
    fixture.askToDelete([1042])
    let text = fixture.text(Size(width: 200, height: 60))
    for words in ["#1042", "james", "Prefers concise", "30 s", "cannot be undone"] {
      #expect(text.contains(words), "\(words)")
    }
    fixture.type("Enter")
    #expect(fixture.isClosed && fixture.effects.isEmpty, "CANCEL has the focus")
    fixture.askToDelete([1042])
    fixture.type("y x Enter")
    #expect(fixture.effects.isEmpty)
    fixture.askToDelete([1042, 1042, 5])
    fixture.type("y Enter")
    #expect(fixture.writes == [.delete(factIDs: [1042])])
    fixture.askToDelete([1042])
    fixture.paste("y\n")
    fixture.type("Tab Enter")
    #expect(fixture.writes.count == 2)
    fixture.memory.deletions = [HeldDeletion(id: 1, facts: [DialogFixture.plain], dueNs: 0)]
    #expect(MemoryDialog.delete([1042], on: fixture.facts()) == nil, "it is held already")
  }

  @Test("deleting many wants the count")
  func deleteMany() {
    let ids = Array(1...12)
    var fixture = DialogFixture(ids.map { DialogFixture.fact($0, "fact \($0)") })
    fixture.askToDelete(ids)
    #expect(fixture.text().contains("and 6 more"))
    fixture.type("Tab Enter")
    #expect(fixture.writes.isEmpty && fixture.dialog != nil)
    fixture.write("1")
    fixture.type("Tab Enter")
    #expect(fixture.writes.isEmpty)
    fixture.write("2")
    fixture.type("Enter")
    #expect(fixture.writes == [.delete(factIDs: ids)])
  }

  @Test("retyping wants type and count, shows how far it is, and Esc stops it")
  func retype() {
    let ids = Array(1...12)
    var fixture = DialogFixture(ids.map { DialogFixture.fact($0, "fact \($0)") })
    fixture.askToRetype(ids)
    fixture.type("C-u")
    fixture.write("Lore")
    fixture.type("Enter Enter")
    fixture.write("11")
    fixture.type("Enter")
    #expect(fixture.writes.isEmpty)
    fixture.type("C-u")
    fixture.write("12")
    fixture.type("Enter")
    #expect(fixture.writes == [.retype(factIDs: ids, type: "lore")])
    var bulk = BulkChange(verb: .retype, total: 12)
    bulk.done = 2
    fixture.memory.bulk = bulk
    fixture.type("q x Enter")
    #expect(fixture.dialog != nil)
    fixture.type("Esc")
    #expect(fixture.effects.last == .memory(.stopBulk) && fixture.dialog != nil)
    bulk.isRunning = false
    bulk.failures = [2: "It is gone."]
    fixture.memory.bulk = bulk
    let text = fixture.text()
    #expect(text.contains("2 changed, 1 left as they were, 9 not tried"))
    #expect(text.contains("#2  It is gone."))
    bulk.failures = [2: "It is gone.", 3: "Stored, but …", 4: "Unknown …", 5: "Unknown …"]
    bulk.storedOtherwise = 1
    bulk.unknown = 2
    fixture.memory.bulk = bulk
    #expect(
      fixture.text(Size(width: 120, height: 40)).contains(
        "2 changed, 1 stored otherwise than they were sent, 2 with an unknown"
      ))
    fixture.type("Enter")
    #expect(fixture.isClosed)
  }

  @Test("a click gives a button the focus, one more presses it; nothing else answers")
  func mouse() throws {
    var fixture = DialogFixture()
    fixture.open()
    fixture.write("!")
    var frame = Frame(size: Size(width: 80, height: 24))
    fixture.dialog?.render(
      fixture.facts(), in: Rect(y: 1, width: 80, height: 22), into: &frame)
    let row = try #require((0..<24).first { frame.canvas.text(row: $0).contains("[SEND]") })
    #expect(frame.targets(x: 2, y: row) == [.overlay(0)])
    #expect(frame.targets(x: 8, y: row).isEmpty)
    #expect(frame.targets(x: 9, y: row) == [.overlay(1)])
    fixture.click(0)
    #expect(fixture.writes.isEmpty && fixture.form?.focus == .button(.send))
    fixture.click(0)
    #expect(fixture.writes.count == 1)

    var prompt = DialogFixture()
    prompt.askToDelete([1042])
    prompt.click(1)
    #expect(prompt.writes.isEmpty)
    prompt.click(1)
    #expect(prompt.writes == [.delete(factIDs: [1042])])
  }

  // MARK: No accident

  @Test("random keys and pastes never send or delete but on the exact path", arguments: 0..<12)
  func mashing(seed: UInt64) {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    let keys: [KeyPress] =
      "abcdehjklnqruyDEHLUY0123456789 .,".map { KeyPress(.char($0)) }
      + "abcdefghklnprtuwxyz_".map { KeyPress(.char($0), .ctrl) }
      + [.enter, .tab, .escape, .backspace, .delete, .up, .down, .left, .right, .pageDown].map {
        KeyPress($0)
      } + [KeyPress(.tab, .shift), KeyPress(.left, .shift)]
    var fixture = DialogFixture([DialogFixture.plain] + (1...3).map { DialogFixture.fact($0, "f") })
    for _ in 0..<1500 {
      if fixture.dialog == nil {
        switch random.next() % 3 {
        case 0: fixture.open()
        case 1: fixture.askToDelete([1042])
        default: fixture.askToDelete([1, 2, 3])
        }
      }
      let before = fixture.dialog
      fixture.effects = []
      if random.next() % 12 == 0 {
        fixture.paste(["\n", "y\n", "3\n", "\u{13}", "a\r\nb\n\n\n"][Int(random.next() % 5)])
        #expect(fixture.writes.isEmpty, "a paste is data")
        continue
      }
      let key = keys[Int(random.next() % UInt64(keys.count))]
      fixture.press(key)
      guard !fixture.writes.isEmpty else { continue }
      #expect(key.key == .enter, "\(key)")
      switch before {
      case .form(let form): #expect(form.focus == .button(.send))
      case .deletion(let prompt):
        #expect(prompt.isReadyToDelete)
      default: Issue.record("no dialog sent")
      }
    }
  }
}

extension DialogFixture {
  var keyWords: PlainText {
    var copy = self
    let facts = copy.facts()
    return dialog?.keyLine(facts) ?? ""
  }
}

/// xorshift64: the same keys for the same seed.
private struct Generator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
