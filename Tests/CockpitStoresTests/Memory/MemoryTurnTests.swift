import CockpitDomain
import Networking
import ClankyWire
import Testing

@testable import CockpitStores

/// A fact that another run of the program is changing (promise P8).
@Suite("MEMORY: changes of several runs (promise P8)") @MainActor struct MemoryTurnTests {
  let scene: DeskScene
  let name = DraftFile.name(factID: 1, backend: "http://127.0.0.1:8787")

  init() {
    scene = DeskScene()
    scene.backend.facts = [madeUpFact(1), madeUpFact(2)]
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    scene.backend.clearLog()
  }

  private func draft(_ text: String) throws -> FactDraft {
    let fact = try #require(scene.store.fact(1))
    var edit = try #require(FactEdit(editing: fact, target: .guild("g1")))
    edit.fact = text
    return FactDraft(edit: edit, confidenceText: "0.5", base: fact, changedAtMs: 5)
  }

  @Test func anEditWaitsAndThenSeesWhatTheOtherStored() throws {
    scene.storage.others = [name]
    scene.service.perform(.send(try draft("mine"), overwriting: nil))
    #expect(scene.store.changes[1]?.state == .waiting)
    #expect(scene.service.hasUnsent)
    scene.clock.advance(seconds: 5)
    #expect(scene.backend.log.isEmpty)
    // A second confirmation changes nothing.
    scene.service.perform(.send(try draft("mine"), overwriting: nil))
    scene.backend.facts[0].fact = "theirs"
    scene.storage.others = []
    scene.clock.advance(seconds: 0.1)
    scene.backend.settle()
    guard case .conflict(let theirs) = scene.store.changes[1]?.state else {
      Issue.record("no conflict: \(String(describing: scene.store.changes[1]?.state))")
      return
    }
    #expect(theirs.fact == "theirs" && scene.backend.puts.isEmpty)
    #expect(scene.storage.turns.isEmpty && !scene.service.hasUnsent)
  }

  @Test func whatTakesTooLongIsGivenUpAndTheDraftStays() throws {
    scene.storage.others = [name]
    let mine = try draft("mine")
    var isSettled = false
    scene.service.perform(.send(mine, overwriting: nil))
    scene.service.finishForQuit { isSettled = true }
    #expect(!isSettled)
    scene.clock.advance(seconds: 60)
    guard case .failed(let sentence) = scene.store.changes[1]?.state else {
      Issue.record("still \(String(describing: scene.store.changes[1]?.state))")
      return
    }
    #expect(sentence.contains("Another clanky-cockpit") && sentence.contains("draft is kept"))
    #expect(isSettled && scene.backend.log.isEmpty && scene.store.drafts[1] == mine)
    // It can be tried again.
    scene.storage.others = []
    scene.service.perform(.send(mine, overwriting: nil))
    scene.backend.settle()
    #expect(scene.store.changes[1]?.isStoredExactly == true && scene.storage.turns.isEmpty)
  }

  @Test func deletionsAndManyChangesWaitToo() throws {
    scene.storage.others = [name]
    scene.service.perform(.retype(factIDs: [1, 2], type: "profile"))
    scene.clock.advance(seconds: 1)
    scene.backend.settle()
    #expect(scene.backend.log.isEmpty && scene.store.bulk?.isRunning == true)
    scene.storage.others = []
    scene.clock.advance(seconds: 1)
    scene.backend.settle()
    #expect(scene.backend.puts.count == 2 && scene.store.bulk?.done == 2)
    scene.storage.others = [name]
    scene.service.perform(.delete(factIDs: [1, 2]))
    scene.service.perform(.deleteNow)
    scene.clock.advance(seconds: 1)
    #expect(scene.backend.deletes.isEmpty)
    scene.storage.others = []
    scene.clock.advance(seconds: 1)
    scene.backend.settle()
    #expect(scene.backend.deletes.count == 2 && scene.storage.turns.isEmpty)
    #expect(scene.store.deletions.last?.state == .done)
  }

  @Test func aDeletionGivesUpToo() {
    scene.storage.others = [name]
    scene.service.perform(.delete(factIDs: [1, 2]))
    scene.service.perform(.deleteNow)
    scene.clock.advance(seconds: 60)
    scene.backend.settle()
    #expect(scene.backend.deletes.map { $0.target.segments.last } == ["2"])
    #expect(scene.store.deletions.last?.problems[1]?.contains("Another clanky-cockpit") == true)
    #expect(scene.store.facts[1] != nil && !scene.service.hasUnsent)
  }
}
