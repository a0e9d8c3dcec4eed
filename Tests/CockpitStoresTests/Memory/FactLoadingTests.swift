import CockpitDomain
import Networking
import ClankyWire
import Testing

@testable import CockpitStores

@Suite @MainActor struct FactLoadingTests {
  @Test func oneShortPageIsEverything() {
    let scene = DeskScene()
    scene.backend.facts = (1...3).map { madeUpFact($0) }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(scene.store.guilds == ["g1"])
    #expect(scene.store.guildNames["g1"] == "name g1")
    #expect(scene.store.facts.count == 3)
    let coverage = scene.store.coverage(of: nil)
    #expect(coverage.isComplete && !coverage.isLoading && coverage.problem == nil)
    #expect(coverage.loaded == 3 && coverage.expected == 3)
    #expect(scene.backend.log.count == 3)
  }

  @Test func shortSubjectsAreAskedForOneByOne() {
    let scene = DeskScene()
    // 700 facts of one subject, 300 of another, 200 of a third.
    scene.backend.facts = (1...1200).map { id in
      madeUpFact(id, subject: id <= 700 ? "big" : id <= 1000 ? "middle" : "small")
    }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    // The numbers in the texts tell them apart, so that all of them are found.
    #expect(scene.store.facts.count == 1200)
    let coverage = scene.store.coverage(of: "g1")
    #expect(coverage.loaded == 1200 && coverage.expected == 1200)
    #expect(coverage.isComplete && !coverage.isLoading && coverage.cut.isEmpty)
    // All 200 of the third and all 300 of the second came with the first page.
    let asked = scene.backend.log.map(\.target.encoded)
    #expect(!asked.contains { $0.contains("subject=middle") || $0.contains("subject=small") })
    #expect(asked.filter { $0.contains("subject=big") }.count <= 1 + FactLoader.letterLimit)
    #expect(scene.backend.mostAtOnce <= 3)
  }

  @Test func whatCannotBeListedIsSaid() {
    let scene = DeskScene()
    // 650 of the 700 facts read the same: no request tells them apart.
    scene.backend.facts = (1...750).map { id in
      madeUpFact(id, id <= 650 ? "same" : nil, subject: id <= 700 ? "big" : "small")
    }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    let coverage = scene.store.coverage(of: "g1")
    #expect(coverage.loaded == scene.store.facts.count && coverage.expected == 750)
    #expect(!coverage.isComplete && !coverage.isLoading)
    #expect(coverage.cut == [FactCoverage.Cut(subject: "big", loaded: 500, counted: 700)])
    #expect(scene.store.coverage(of: nil).cut == coverage.cut)
    // A reload cannot tell what is gone of the subject that is cut, so it drops nothing of it.
    scene.backend.facts.removeAll { $0.subject == "small" || ($0.id ?? 0) == 700 }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(scene.store.facts[700] != nil && scene.store.facts[750] == nil)
  }

  @Test func exactlyFiveHundredAreEverything() {
    let scene = DeskScene()
    scene.backend.facts = (1...500).map { madeUpFact($0) }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(scene.store.coverage(of: nil).isComplete)
    #expect(scene.backend.log.count == 3)
  }

  @Test func factsOfUsersCountOnceOverGuilds() {
    let scene = DeskScene()
    scene.backend.guilds = ["g1", "g2"]
    scene.backend.facts =
      (1...900).map { madeUpFact($0, subject: "u\($0 % 4)", scope: .user) }
      + (901...950).map { madeUpFact($0, subject: "__lore__", guild: $0 < 921 ? "g1" : "g2") }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(scene.store.facts.count == 950)
    let all = scene.store.coverage(of: nil)
    #expect(all.isComplete && all.loaded == 950 && all.expected == 950)
    #expect(scene.store.coverage(of: "g1").loaded == 920)
    #expect(scene.store.facts[5]?.guilds == ["g1", "g2"])
    #expect(scene.backend.mostAtOnce <= 3)
  }

  @Test func whatVanishedElsewhereVanishesHere() {
    let scene = DeskScene()
    scene.backend.guilds = ["g1", "g2"]
    scene.backend.facts = [
      madeUpFact(1), madeUpFact(2), madeUpFact(3, scope: .user), madeUpFact(4, guild: "g2"),
    ]
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(scene.store.facts.count == 4)
    scene.backend.facts.removeAll { $0.id == 2 || $0.id == 3 }
    scene.service.perform(.load(guild: "g1"))
    scene.backend.settle()
    #expect(Set(scene.store.facts.entries.keys) == [1, 4])
    // A guild that the bot has left takes its own facts with it.
    scene.backend.guilds = ["g1"]
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(Set(scene.store.facts.entries.keys) == [1])
  }

  @Test func aFailureKeepsWhatWasThere() {
    let scene = DeskScene()
    scene.backend.facts = (1...3).map { madeUpFact($0) }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    scene.backend.override = { request in
      request.target.encoded.contains("memory")
        ? FactBackend.failure(.connectionLost(""), mayHaveArrived: true) : nil
    }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    let coverage = scene.store.coverage(of: "g1")
    #expect(scene.store.facts.count == 3 && coverage.loaded == 3)
    #expect(!coverage.isLoading && !coverage.isComplete)
    #expect(coverage.problem?.contains("connection was lost") == true)
    scene.backend.override = { _ in nil }
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(scene.store.coverage(of: "g1").isComplete)
  }

  @Test func aBackendWithoutGuildsSaysSo() {
    let scene = DeskScene()
    scene.backend.guilds = []
    scene.service.perform(.load(guild: nil))
    scene.backend.settle()
    #expect(scene.store.guilds == [])
    #expect(scene.store.guildsFailure != nil)
    #expect(scene.store.coverage(of: nil).problem != nil)
  }

  @Test func ownerFactsOfAnOldBackendAreNotServed() {
    let scene = DeskScene()
    scene.backend.facts = [madeUpFact(1, subject: "__owner__", scope: .owner)]
    scene.service.perform(.loadOwnerPrivate)
    scene.backend.settle()
    #expect(scene.store.ownerPrivate.value == [1])
    #expect(scene.store.facts[1]?.guilds == [])
    scene.backend.override = { _ in
      FactBackend.failure(.notClanky(.wrongPath), mayHaveArrived: true)
    }
    // Nothing else has answered yet in a new store: it may be the token.
    let other = DeskScene()
    other.backend.override = scene.backend.override
    other.service.perform(.loadOwnerPrivate)
    other.backend.settle()
    #expect(other.store.ownerPrivate.problem != nil)
    scene.service.perform(.loadOwnerPrivate)
    scene.backend.settle()
    guard case .notServed = scene.store.ownerPrivate else {
      Issue.record("\(scene.store.ownerPrivate)")
      return
    }
  }

  @Test func onlyTheNewestSearchCounts() {
    let scene = DeskScene()
    scene.backend.override = { request in
      let text = request.target.query.first { $0.name == "q" }?.value ?? ""
      return FactBackend.answer(200, "{\"queryText\":\"\(text)\",\"results\":[]}")
    }
    scene.service.perform(.search(text: "one", guild: "g1"))
    scene.service.perform(.search(text: "two", guild: "g1"))
    scene.backend.answer(1)
    scene.backend.answer(0)
    #expect(scene.store.search.value?.queryText == "two")
    #expect(!scene.store.search.isLoading)
  }

  @Test func whatIsNotUnderstoodIsSaid() {
    let scene = DeskScene()
    scene.backend.override = { _ in FactBackend.answer(200, "[1,2") }
    scene.service.perform(.loadReflections(guild: nil))
    scene.service.perform(.loadMarkdown(guild: "g1"))
    scene.service.perform(.loadProfile(guild: "g1", user: nil))
    scene.service.perform(.recall(SnapshotRequest(guildID: "g1", queryText: "rust")))
    scene.backend.settle()
    #expect(scene.store.reflections.problem != nil)
    #expect(scene.store.markdown.problem != nil)
    #expect(scene.store.profile.problem != nil)
    #expect(scene.store.recall.problem != nil)
  }
}
