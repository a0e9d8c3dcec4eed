import Networking
import ClankyWire
import Testing

@testable import CockpitStores

@Suite @MainActor struct MemoryServiceTests {
  private func scene(
    hasStorage: Bool = true, storage: FakeStorage = FakeStorage()
  ) -> DeskScene {
    let scene = DeskScene(hasStorage: hasStorage, storage: storage)
    scene.backend.facts = (1...4).map { madeUpFact($0) }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    scene.backend.clearLog()
    return scene
  }

  private func draft(_ id: Int, _ text: String, in scene: DeskScene) throws -> FactDraft {
    let fact = try #require(scene.store.fact(id))
    let target = try #require(scene.store.target(of: fact))
    var edit = try #require(FactEdit(editing: fact, target: target))
    edit.fact = text
    return FactDraft(edit: edit, confidenceText: "0.5", base: fact, changedAtMs: 5)
  }

  private func outcomes(_ scene: DeskScene) -> [String] {
    scene.storage.lines.compactMap { JournalEntry(line: $0) }.map {
      "\($0.verb.rawValue) \($0.factID) \($0.outcome.rawValue)"
    }
  }

  // MARK: Edits

  @Test func anEditIsStored() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    scene.service.perform(.keep(draft))
    #expect(scene.storage.files.count == 1 && scene.store.drafts[1] == draft)
    scene.service.perform(.send(draft, overwriting: nil))
    #expect(scene.store.changes[1]?.state == .checking)
    scene.backend.settle()
    #expect(scene.store.changes[1]?.isStoredExactly == true)
    #expect(scene.store.facts[1]?.fact.fact == "new")
    #expect(scene.store.drafts.isEmpty && scene.storage.files.isEmpty)
    #expect(scene.backend.puts.count == 1)
    #expect(outcomes(scene) == ["edit 1 sending", "edit 1 stored"])
    let entries = scene.storage.lines.compactMap { JournalEntry(line: $0) }
    #expect(Set(entries.map(\.write)).count == 1)
    #expect(entries.last?.before?.fact == "fact number 1" && entries.last?.after?.fact == "new")
    scene.service.perform(.dismiss(factID: 1))
    #expect(scene.store.changes.isEmpty)
  }

  @Test func oneRequestForEachFactAtATime() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    for _ in 0..<5 { scene.service.perform(.send(draft, overwriting: nil)) }
    #expect(scene.backend.waitingCount == 1)
    scene.backend.answer()
    scene.service.perform(.send(draft, overwriting: nil))
    #expect(scene.backend.waitingCount == 1)
    scene.service.perform(.delete(factIDs: [1]))
    #expect(scene.store.deletions.isEmpty)
    scene.backend.settle()
    #expect(scene.backend.puts.count == 1)
  }

  @Test func aConflictSendsNothingUntilTheUserDecides() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    scene.backend.facts[0].fact = "theirs"
    scene.service.perform(.send(draft, overwriting: nil))
    scene.backend.settle()
    guard case .conflict(let theirs) = scene.store.changes[1]?.state else {
      Issue.record("\(String(describing: scene.store.changes[1]))")
      return
    }
    #expect(theirs.fact == "theirs" && scene.backend.puts.isEmpty)
    #expect(scene.store.drafts[1] == draft && scene.storage.files.count == 1)
    #expect(scene.store.facts[1]?.fact.fact == "theirs")
    scene.service.perform(.send(draft, overwriting: FactOverwrite(theirs: theirs)))
    scene.backend.settle()
    #expect(scene.backend.puts.count == 1 && scene.backend.facts[0].fact == "new")
    #expect(outcomes(scene) == ["edit 1 conflict", "edit 1 sending", "edit 1 stored"])
  }

  @Test func anUnknownOutcomeIsRead() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    // The backend stores it, but its answer is lost.
    scene.backend.before = { [backend = scene.backend] request in
      if request.method == .put { backend.facts[0].fact = "new" }
    }
    scene.backend.override = { request in
      request.method == .put ? FactBackend.failure(.timedOut(.headers), mayHaveArrived: true) : nil
    }
    scene.service.perform(.send(draft, overwriting: nil))
    scene.backend.settle()
    #expect(scene.store.changes[1]?.isStoredExactly == true && scene.backend.puts.count == 1)
    #expect(scene.store.drafts.isEmpty)
  }

  @Test func aFactThatIsGoneLeavesTheListAndNotTheDraft() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    scene.backend.facts.removeAll { $0.id == 1 }
    scene.service.perform(.send(draft, overwriting: nil))
    scene.backend.settle()
    #expect(scene.store.changes[1]?.state == .gone && scene.store.facts[1] == nil)
    #expect(scene.store.drafts[1] == draft && scene.backend.puts.isEmpty)
    // A 404 to the PUT itself: it was there a moment ago.
    scene.backend.override = { request in
      request.method == .put
        ? FactBackend.answer(404, "{\"ok\":false,\"error\":\"not_found\"}") : nil
    }
    scene.service.perform(.send(try self.draft(2, "new", in: scene), overwriting: nil))
    scene.backend.settle()
    #expect(scene.store.changes[2]?.state == .gone && scene.store.facts[2] != nil)
    #expect(scene.store.changes[2]?.sentence.contains("another guild") == true)
  }

  @Test func whatIsTypedOnMeanwhileStays() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    scene.service.perform(.send(draft, overwriting: nil))
    var later = draft
    later.edit.fact = "newer"
    scene.service.perform(.keep(later))
    scene.backend.settle()
    #expect(scene.store.drafts[1]?.edit.fact == "newer")
    #expect(scene.store.drafts[1]?.base.fact == "new")
    #expect(scene.storage.files.count == 1)
  }

  @Test func aListFromBeforeDoesNotTakeAnEditBack() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    scene.service.perform(.load(guild: "g1"))
    // The lists are on their way with the old text while the edit is stored.
    let old = FactChangeTests.page(scene.backend.facts[0])
    scene.clock.advance(seconds: 1)
    scene.service.perform(.send(draft, overwriting: nil))
    while scene.backend.waitingCount > 2 { scene.backend.answer(2) }
    #expect(scene.store.facts[1]?.fact.fact == "new")
    scene.backend.override = { $0.target.encoded.contains("/facts") ? old : nil }
    scene.backend.settle()
    #expect(scene.store.facts[1]?.fact.fact == "new")
  }

  @Test func withoutAJournalNothingIsSent() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    scene.storage.isFull = true
    scene.service.perform(.send(draft, overwriting: nil))
    scene.backend.settle()
    #expect(scene.backend.puts.isEmpty)
    #expect(scene.store.changes[1]?.outcome == .failed)
    #expect(scene.store.changes[1]?.sentence.contains("journal") == true)
    #expect(scene.store.diskProblem != nil && scene.store.drafts[1] == draft)
    scene.service.perform(.delete(factIDs: [2]))
    scene.service.perform(.deleteNow)
    scene.backend.settle()
    #expect(scene.backend.deletes.isEmpty)
    // The disk has room again: the draft gets there although it is the same.
    scene.storage.isFull = false
    scene.service.perform(.keep(draft))
    #expect(scene.storage.files.count == 1 && scene.store.diskProblem == nil)
  }

  @Test func aDraftThatIsNotOnTheDiskIsNotCalledKept() throws {
    let scene = scene()
    scene.storage.isFullForDrafts = true
    let draft = try draft(1, "new", in: scene)
    scene.service.perform(.keep(draft))
    #expect(scene.store.unsavedDrafts == [1])
    scene.backend.override = { _ in FactBackend.failure(.connectionLost("gone")) }
    scene.service.perform(.send(draft, overwriting: nil))
    scene.backend.settle()
    let lost = try #require(scene.store.changes[1])
    #expect(lost.sentence.contains("in memory only") && !lost.sentence.contains("kept"))
    // That the journal could be written does not make it so.
    scene.backend.override = { $0.method == .put ? FactBackend.answer(409, "{}") : nil }
    scene.service.perform(.dismiss(factID: 1))
    scene.service.perform(.send(draft, overwriting: nil))
    scene.backend.settle()
    #expect(outcomes(scene).last == "edit 1 \(scene.store.changes[1]?.outcome?.rawValue ?? "")")
    #expect(scene.store.changes[1]?.sentence.contains("in memory only") == true)
    #expect(scene.store.diskProblem?.contains("in memory only") == true)

    scene.storage.isFullForDrafts = false
    scene.backend.override = { _ in FactBackend.failure(.connectionLost("gone")) }
    scene.service.perform(.dismiss(factID: 1))
    scene.service.perform(.send(draft, overwriting: nil))
    scene.backend.settle()
    #expect(scene.store.unsavedDrafts.isEmpty && scene.store.diskProblem == nil)
    #expect(scene.store.changes[1]?.sentence.contains("The draft is kept.") == true)
  }

  @Test func withoutAStateDirectoryItIsSentAndSaid() throws {
    let scene = scene(hasStorage: false)
    // Reading alone does not report it.
    #expect(scene.store.diskProblem == nil)
    scene.service.perform(.send(try draft(1, "new", in: scene), overwriting: nil))
    scene.backend.settle()
    #expect(scene.store.changes[1]?.isStoredExactly == true)
    #expect(scene.store.diskProblem?.contains("journal") == true)
  }

  @Test func reloadingLeavesDraftsAndDeletions() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    scene.service.perform(.keep(draft))
    scene.service.perform(.delete(factIDs: [2]))
    scene.backend.facts = []
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(scene.store.facts.count == 0)
    #expect(scene.store.drafts[1] == draft && scene.store.deletions.count == 1)
  }

  // MARK: Drafts and the journal on the disk

  nonisolated static let hostile = [
    "\u{1B}[31mred\u{7}", "a\u{0}b", "\u{202E}gnp.exe", "line\nnext\r\n", "\"quoted\\\"", "🇮🇱 שלום",
    "\u{FFFD}\u{2028}", String(repeating: "é", count: 400), "",
  ]

  @Test(arguments: hostile)
  func draftsComeBackAsTheyWere(_ text: String) throws {
    var base = madeUpFact(3, text, evidence: text, source: "m1")
    base.isLegacy = true
    base.channelID = "c1"
    base.subjectLabel = text
    for target in [FactTarget.guild(text), .ownerPrivate] {
      let draft = FactDraft(
        edit: FactEdit(
          factID: 3, target: target, subject: text, fact: text + "!", factType: text,
          evidenceText: text, confidence: text.isEmpty ? nil : 0.1 + 0.2),
        confidenceText: text, base: base, changedAtMs: 1_795_250_000_123)
      let bytes = DraftFile.bytes(draft, backend: "http://x")
      #expect(bytes.allSatisfy { (0x20..<0x7F).contains($0) })
      #expect(try DraftFile.read(bytes, backend: "http://x") == draft)
      #expect(throws: DraftFile.Problem.otherBackend) {
        try DraftFile.read(bytes, backend: "http://y")
      }
    }
    let entry = JournalEntry(
      write: text, atMs: 1_795_250_000_123, backend: text, guild: text, verb: .retype, factID: 3,
      before: base, after: nil, outcome: .unknown, detail: text)
    #expect(entry.line.allSatisfy { (0x20..<0x7F).contains($0) })
    #expect(JournalEntry(line: entry.line) == entry)
  }

  @Test func anEditWithoutAnOutcomeIsDoubtful() throws {
    let disk = FakeStorage()
    let first = scene(storage: disk)
    let mine = try draft(1, "mine", in: first)
    first.service.perform(.send(mine, overwriting: nil))
    first.backend.answer()
    #expect(first.backend.puts.count == 1 && outcomes(first) == ["edit 1 sending"])
    // It ends here. The next run finds the line, and the one that settles it.
    let second = scene(storage: disk)
    #expect(second.store.doubtfulEdits[1]?.outcome == .sending)
    second.backend.override = { $0.method == .put ? FactBackend.answer(400, "{}") : nil }
    second.service.perform(.send(mine, overwriting: nil))
    second.backend.settle()
    #expect(second.store.doubtfulEdits.isEmpty)
    #expect(scene(storage: disk).store.doubtfulEdits.isEmpty)
    // An outcome that could not be found out is as doubtful.
    let backend = second.backend
    backend.override = { request in
      if request.method == .put {
        return FactBackend.failure(.connectionLost("gone"), mayHaveArrived: true)
      }
      return backend.puts.count > 1 ? FactBackend.failure(.connectionLost("gone")) : nil
    }
    second.service.perform(.dismiss(factID: 1))
    second.service.perform(.send(mine, overwriting: nil))
    backend.settle()
    #expect(second.store.changes[1]?.outcome == .unknown)
    #expect(second.store.doubtfulEdits[1]?.outcome == .unknown)
    #expect(scene(storage: disk).store.doubtfulEdits[1] != nil)
  }

  @Test func twoRunsDoNotOverwriteEachOthersDraft() throws {
    let disk = FakeStorage()
    let (first, second) = (scene(storage: disk), scene(storage: disk))
    var mine = try draft(1, "mine", in: first)
    first.service.perform(.keep(mine))
    // It began before that draft was there, and was not told.
    var theirs = try draft(1, "theirs", in: second)
    theirs.changedAtMs = 6
    second.service.perform(.keep(theirs))
    #expect(disk.files.count == 2 && second.store.otherDrafts == [1])
    // Each goes on with its own.
    mine.edit.fact = "mine too"
    first.service.perform(.keep(mine))
    theirs.edit.fact = "theirs too"
    second.service.perform(.keep(theirs))
    func texts() throws -> [String] {
      try disk.files.values.map {
        try DraftFile.read($0, backend: "http://127.0.0.1:8787").edit.fact
      }.sorted()
    }
    #expect(try texts() == ["mine too", "theirs too"])
    // A third one is offered the newest, and the other when that is sent.
    let third = scene(storage: disk)
    #expect(third.store.drafts[1] == theirs && third.store.otherDrafts == [1])
    third.service.perform(.send(theirs, overwriting: nil))
    third.backend.settle()
    third.service.perform(.dismiss(factID: 1))
    #expect(try texts() == ["mine too"])
    third.clock.advance(seconds: 2)
    third.service.lookForDrafts()
    #expect(third.store.drafts[1] == mine && third.store.otherDrafts.isEmpty)
    // Dropping what another run has changed meanwhile leaves it there.
    mine.edit.fact = "mine again"
    first.service.perform(.keep(mine))
    third.service.perform(.dropDraft(factID: 1))
    #expect(try texts() == ["mine again"])
  }

  @Test func aDraftOfAnotherRunIsOfferedWhenOneLooks() throws {
    let disk = FakeStorage()
    let (first, second) = (scene(storage: disk), scene(storage: disk))
    let mine = try draft(1, "mine", in: first)
    first.service.perform(.keep(mine))
    second.service.lookForDrafts()
    #expect(second.store.drafts.isEmpty, "it has just looked")
    second.clock.advance(seconds: 2)
    second.service.lookForDrafts()
    #expect(second.store.drafts[1] == mine)
    var later = mine
    later.edit.fact = "mine, in the other window"
    later.changedAtMs = 9
    second.service.perform(.keep(later))
    #expect(disk.files.count == 1, "it goes on with it")
    first.clock.advance(seconds: 2)
    first.service.lookForDrafts()
    #expect(first.store.drafts[1] == later)
  }

  @Test func aDraftThatIsLeftStandsBesideTheNext() throws {
    let disk = FakeStorage()
    scene(storage: disk).service.perform(.keep(try draft(1, "form", in: scene())))
    let command = scene(storage: disk)
    command.service.leaveDraft(1)
    let asked = try draft(1, "command", in: command)
    command.backend.override = { $0.method == .put ? FactBackend.answer(400, "{}") : nil }
    command.service.perform(.send(asked, overwriting: nil))
    #expect(disk.files.count == 2)
    command.backend.settle()
    #expect(disk.files.count == 2)
    command.backend.override = { _ in nil }
    command.service.perform(.dismiss(factID: 1))
    command.service.perform(.send(asked, overwriting: nil))
    command.backend.settle()
    #expect(command.store.changes[1]?.isStoredExactly == true)
    let left = try #require(disk.files.values.first)
    #expect(try DraftFile.read(left, backend: "http://127.0.0.1:8787").edit.fact == "form")
  }

  @Test func loneSurrogatesCostOnlyThemselves() throws {
    let page = FactBackend.answer(
      200,
      #"{"facts":[{"id":1,"subject":"u","fact":"a\ud800b","fact_type":"other","confidence":1}]}"#)
    guard case .value(let read) = MemoryAnswer<FactPage>(page), let fact = read.facts.first else {
      Issue.record("not read")
      return
    }
    let entry = JournalEntry(
      write: "w", atMs: 0, backend: "b", guild: "g", verb: .edit, factID: 1, before: fact,
      after: fact, outcome: .stored)
    #expect(JournalEntry(line: entry.line) == entry)
  }

  @Test func aNewRunTakesTheDraftsUp() throws {
    let first = scene()
    let draft = try draft(1, "new", in: first)
    first.service.perform(.keep(draft))
    first.storage.files["garbage"] = Array("{".utf8)
    first.storage.files["newer"] = Array("{\"version\":2}".utf8)
    first.storage.files["other"] = DraftFile.bytes(draft, backend: "http://elsewhere")
    let store = MemoryStore()
    let service = MemoryService(
      store: store, requester: first.backend, clock: first.clock, storage: first.storage,
      backend: "http://127.0.0.1:8787")
    #expect(store.drafts == [1: draft])
    #expect(Set(first.storage.aside.keys) == ["garbage", "newer"])
    #expect(first.storage.files["other"] != nil && store.diskProblem != nil)
    service.perform(.dropDraft(factID: 1))
    #expect(store.drafts.isEmpty && first.storage.files.keys.sorted() == ["other"])
  }

  @Test func unreadableLinesOfTheJournalAreCounted() throws {
    let scene = scene()
    scene.service.perform(.send(try draft(1, "new", in: scene), overwriting: nil))
    scene.backend.settle()
    scene.storage.lines.insert(Array("{\"version\":1,\"wri".utf8), at: 1)
    scene.service.perform(.loadJournal)
    #expect(scene.store.journal.value?.map(\.outcome) == [.sending, .stored])
    #expect(scene.store.unreadableJournalLines == 1)
    scene.service.perform(.send(try draft(2, "newer", in: scene), overwriting: nil))
    scene.backend.settle()
    #expect(scene.store.journal.value?.count == 4)
  }

  // MARK: Deletions

  @Test func aDeletionIsHeld() {
    let scene = scene()
    scene.service.perform(.delete(factIDs: [1, 2, 1, 99]))
    #expect(scene.service.heldCount == 2 && scene.service.hasUnsent)
    #expect(scene.store.facts.count == 4)
    scene.clock.advance(seconds: 29.9)
    #expect(scene.backend.waitingCount == 0)
    scene.clock.advance(seconds: 0.2)
    #expect(scene.store.deletions.last?.state == .sending)
    #expect(scene.backend.waitingCount == 1)
    scene.service.perform(.undoDeletion)
    #expect(scene.store.undoProblem == HeldDeletion.cannotRestore)
    scene.backend.settle()
    #expect(scene.store.deletions.last?.state == .done)
    #expect(scene.store.deletions.last?.sentence == "2 facts deleted.")
    #expect(Set(scene.store.facts.entries.keys) == [3, 4] && !scene.service.hasUnsent)
    #expect(
      scene.backend.deletes.map { $0.body.map { String(decoding: $0, as: UTF8.self) } }
        == [#"{"guildId":"g1"}"#, #"{"guildId":"g1"}"#])
    #expect(
      outcomes(scene) == [
        "delete 1 sending", "delete 1 deleted", "delete 2 sending", "delete 2 deleted",
      ])
  }

  @Test func aDeletionIsTakenBack() {
    let scene = scene()
    scene.service.perform(.delete(factIDs: [1]))
    scene.service.perform(.delete(factIDs: [2]))
    scene.service.perform(.undoDeletion)
    scene.clock.advance(seconds: 60)
    scene.backend.settle()
    #expect(scene.backend.deletes.count == 1 && scene.store.facts[2] != nil)
    scene.service.perform(.undoDeletion)
    #expect(scene.store.undoProblem == HeldDeletion.cannotRestore)
  }

  @Test(arguments: [true, false])
  func aDeletionWithoutAnAnswer(_ hasHappened: Bool) {
    let scene = scene()
    scene.backend.before = { [backend = scene.backend] request in
      if hasHappened, request.method == .delete { backend.facts.removeAll { $0.id == 1 } }
    }
    scene.backend.override = { request in
      request.method == .delete
        ? FactBackend.failure(.connectionLost(""), mayHaveArrived: true) : nil
    }
    scene.service.perform(.delete(factIDs: [1]))
    scene.service.perform(.deleteNow)
    scene.backend.settle()
    #expect(scene.backend.deletes.count == 1)
    if hasHappened {
      #expect(scene.store.deletions.last?.state == .done && scene.store.facts[1] == nil)
    } else {
      #expect(scene.store.deletions.last?.sentence.contains("still there") == true)
      #expect(scene.store.facts[1] != nil)
    }
  }

  @Test func whatIsGoneAlreadyIsSaid() {
    let scene = scene()
    scene.backend.facts.removeAll { $0.id == 1 }
    scene.service.perform(.delete(factIDs: [1, 2]))
    scene.service.perform(.deleteNow)
    scene.backend.settle()
    #expect(scene.store.deletions.last?.sentence == "2 facts deleted; 1 had been gone already.")
    #expect(scene.store.facts.count == 2)
  }

  @Test func aFactThatIsToBeDeletedIsNotEdited() throws {
    let scene = scene()
    let draft = try draft(1, "new", in: scene)
    scene.service.perform(.delete(factIDs: [1]))
    scene.service.perform(.send(draft, overwriting: nil))
    scene.backend.settle()
    #expect(scene.store.changes[1]?.outcome == .failed && scene.backend.puts.isEmpty)
    #expect(scene.store.drafts[1] == draft)
  }

  @Test func leavingSendsWhatIsHeld() throws {
    let scene = scene()
    scene.service.perform(.delete(factIDs: [1]))
    scene.service.perform(.send(try draft(2, "new", in: scene), overwriting: nil))
    var isDone = false
    scene.service.finishForQuit { isDone = true }
    while scene.backend.waitingCount > 0 {
      #expect(!isDone)
      scene.backend.answer()
    }
    #expect(isDone && !scene.service.hasUnsent)
    #expect(scene.backend.puts.count == 1 && scene.backend.deletes.count == 1)
    var again = false
    scene.service.finishForQuit { again = true }
    #expect(again)
  }

  // MARK: Many facts

  @Test func manyFactsGetAType() {
    let scene = scene()
    scene.backend.facts[1].fact = "changed by somebody"
    scene.backend.facts[2].factType = .guidance
    scene.service.perform(.retype(factIDs: [1, 2, 3, 4, 99], type: "Guidance"))
    scene.service.perform(.retype(factIDs: [1], type: "other"))
    while scene.backend.waitingCount > 0 {
      #expect(scene.backend.waitingCount == 1)
      scene.backend.answer()
    }
    let bulk = scene.store.bulk
    #expect(bulk?.isRunning == false && bulk?.done == 3 && bulk?.total == 5)
    #expect(bulk?.failures.keys.sorted() == [2, 99])
    #expect(bulk?.failures[2]?.contains("draft") == false)
    // The third had that type already.
    #expect(scene.backend.puts.count == 2)
    #expect(scene.backend.facts.map(\.factType) == [.guidance, .preference, .guidance, .guidance])
    #expect(scene.store.changes.isEmpty && scene.store.drafts.isEmpty)
  }

  @Test("what was stored otherwise, or perhaps, is not counted as left alone")
  func manyFactsAndTheirOutcomes() {
    let scene = scene()
    scene.backend.facts[2].fact = "changed by somebody"
    var other = scene.backend.facts[0]
    other.factType = .other
    var isDeaf = false
    scene.backend.override = { request in
      guard request.method == .put else {
        defer { isDeaf = false }
        return isDeaf ? FactBackend.failure(.transport("")) : nil
      }
      guard request.target.segments.last == "2" else { return FactChangeTests.reply(other) }
      isDeaf = true
      return FactBackend.failure(.transport(""), mayHaveArrived: true)
    }
    scene.service.perform(.retype(factIDs: [1, 2, 3], type: "guidance"))
    scene.backend.settle()
    let bulk = scene.store.bulk
    #expect(bulk?.isRunning == false && bulk?.done == 0)
    #expect(bulk?.failures.keys.sorted() == [1, 2, 3])
    #expect(bulk?.storedOtherwise == 1 && bulk?.unknown == 1)
  }

  @Test func aBulkChangeIsStopped() {
    let scene = scene()
    scene.service.perform(.retype(factIDs: [1, 2, 3], type: "other"))
    scene.backend.answer()
    scene.service.perform(.stopBulk)
    scene.backend.settle()
    #expect(scene.store.bulk?.done == 1 && scene.store.bulk?.isRunning == false)
    #expect(scene.backend.puts.count == 1)
  }

  // MARK: Everything at once

  /// Whatever is pressed and whatever is answered, in any order: never more PUTs for a fact than
  /// confirmations that found it unoccupied, none but one at a time, and no draft is lost.
  @Test func anyOrderOfAnything() throws {
    for seed in 0..<40 {
      var random = SeededRandom(UInt64(seed))
      let scene = scene()
      var confirmed: [Int: Int] = [:]
      var kept: [Int: String] = [:]
      var open: Set<Int> = []
      scene.backend.override = { request in
        guard request.method != .get else {
          return Int.random(in: 0..<10, using: &random) == 0
            ? FactBackend.failure(.timedOut(.headers), mayHaveArrived: true) : nil
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return FactBackend.failure(.timedOut(.headers), mayHaveArrived: true)
        case 1: return FactBackend.failure(.connectionLost(""), mayHaveArrived: false)
        case 2: return FactBackend.answer(409, "{\"ok\":false,\"error\":\"duplicate\"}")
        default: return nil
        }
      }
      var random2 = SeededRandom(UInt64(seed) + 1000)
      for step in 0..<200 {
        let id = Int.random(in: 1...4, using: &random2)
        switch Int.random(in: 0..<10, using: &random2) {
        case 0...1:
          guard scene.store.fact(id) != nil else { continue }
          let draft = try draft(id, "text \(seed) \(step)", in: scene)
          if scene.store.changes[id]?.isUnderWay != true {
            confirmed[id, default: 0] += 1
            open.insert(id)
          }
          kept[id] = draft.edit.fact
          scene.service.perform(.send(draft, overwriting: nil))
        case 2 where step % 7 == 0: scene.service.perform(.delete(factIDs: [id]))
        case 3: scene.service.perform(.undoDeletion)
        case 4: scene.service.perform(.load(guild: nil))
        case 5: scene.clock.advance(seconds: 3)
        case 6: scene.service.perform(.dismiss(factID: id))
        default:
          if scene.backend.waitingCount > 0 {
            scene.backend.answer(Int.random(in: 0..<scene.backend.waitingCount, using: &random2))
          }
        }
        for (id, text) in kept where scene.store.drafts[id]?.edit.fact != text {
          // The only way for a draft to go is to be stored.
          #expect(
            scene.backend.facts.contains { $0.id == id && $0.fact == text }, "\(seed) \(step)")
          kept[id] = nil
        }
      }
      scene.backend.settle()
      for id in 1...4 {
        let puts = scene.backend.puts.filter { $0.target.segments.last == "\(id)" }.count
        #expect(puts <= confirmed[id] ?? 0, "seed \(seed)")
      }
      #expect(scene.store.changes.values.allSatisfy { !$0.isUnderWay })
    }
  }
}
