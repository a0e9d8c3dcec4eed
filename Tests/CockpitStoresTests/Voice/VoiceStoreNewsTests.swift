import ClankyWire
import Observation
import Testing

@testable import CockpitStores

/// The effect of a voice state that is repeated.
@MainActor
@Suite struct VoiceStoreNewsTests {
  private static func state(age: Int, prompt: String, sent: Int = 3, id: String = "s") -> String {
    """
    {"activeCount":1,"sessions":[{"sessionId":"\(id)","guildId":"1",
     "conversation":{"wake":{"msSinceAssistantReply":\(age)},
       "modelContext":{"generation":{"capturedAt":"2026-05-09T18:22:41.307Z","sentTurns":\(sent)}}},
     "promptState":{"generation":{"updatedAt":"2026-05-09T18:22:41.307Z","source":"realtime",
       "replyPrompts":{"systemPrompt":"\(prompt)"}}}}]}
    """
  }

  private func apply(_ text: String, to store: VoiceStore) {
    Array(text.utf8).withUnsafeBytes { _ = store.apply($0, atNs: 1) }
  }

  @Test func agesMoveAndPromptsStay() {
    let store = VoiceStore()
    for age in 1...5 {
      apply(Self.state(age: age, prompt: "be kind"), to: store)
      #expect(store.sessions[0].conversation.wake.msSinceAssistantReply == age)
      #expect(store.payload == Array(Self.state(age: age, prompt: "be kind").utf8))
    }
    #expect(store.brain.prompts.versions(of: "s", .generation).count == 1)
    #expect(store.brain.budgets(of: "s").count == 1)
  }

  @Test func agesThatNobodyLooksAtAreReadWhenSomebodyDoes() {
    let store = VoiceStore()
    apply(Self.state(age: 1, prompt: "be kind"), to: store)
    for age in 2...4 {
      apply(Self.state(age: age, prompt: "be kind"), to: store)
      #expect(store.payload == Array(Self.state(age: age, prompt: "be kind").utf8))
    }
    #expect(store.sessions[0].conversation.wake.msSinceAssistantReply == 4)
    // Who has looked is told of the next one, and need not look again to have it read.
    @MainActor final class Flag { var isUp = false }
    let flag = Flag()
    withObservationTracking {
      _ = store.state
    } onChange: {
      MainActor.assumeIsolated { flag.isUp = true }
    }
    apply(Self.state(age: 5, prompt: "be kind"), to: store)
    #expect(flag.isUp && store.sessions[0].conversation.wake.msSinceAssistantReply == 5)
  }

  @Test(arguments: 0..<8) func whoeverLooksSeesTheLastState(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let store = VoiceStore()
    for step in 0..<200 {
      let text = Self.state(
        age: .random(in: 0...1200, using: &random),
        prompt: Int.random(in: 0...9, using: &random) == 0 ? "be \(step)" : "be kind",
        sent: Int.random(in: 0...9, using: &random) == 0 ? step : 3,
        id: Int.random(in: 0...29, using: &random) == 0 ? "t" : "s")
      apply(text, to: store)
      guard Bool.random(using: &random) else { continue }
      let fresh = VoiceStore()
      apply(text, to: fresh)
      try #require(store.state == fresh.state && store.payload == Array(text.utf8))
      #expect(store.sessionCount == 1 && store.log.records[fresh.sessions[0].sessionID] != nil)
    }
  }

  @Test func howManyThereAreIsToldWhenItChanges() {
    let store = VoiceStore()
    @MainActor final class Flag { var isUp = false }
    func isReported(_ text: String) -> Bool {
      let flag = Flag()
      withObservationTracking {
        _ = store.sessionCount
      } onChange: {
        MainActor.assumeIsolated { flag.isUp = true }
      }
      apply(text, to: store)
      return flag.isUp
    }
    #expect(isReported(Self.state(age: 1, prompt: "be kind")) && store.sessionCount == 1)
    #expect(!isReported(Self.state(age: 2, prompt: "be kind")))
    #expect(!isReported("[]") && !isReported("{") && store.sessionCount == 1)
    #expect(isReported("{\"sessions\":[]}") && store.sessionCount == 0)
  }

  @Test func aNewPromptANewBudgetAndANewSessionAreNoticed() {
    let store = VoiceStore()
    apply(Self.state(age: 1, prompt: "be kind"), to: store)
    apply(Self.state(age: 2, prompt: "be kind", sent: 4), to: store)
    #expect(store.brain.budgets(of: "s").map(\.sentTurns) == [4])
    apply(Self.state(age: 3, prompt: "be brief", sent: 4), to: store)
    #expect(store.brain.prompts.versions(of: "s", .generation).count == 2)
    apply(Self.state(age: 4, prompt: "be brief", sent: 4, id: "t"), to: store)
    #expect(store.brain.prompts.versions(of: "t", .generation).count == 1)
    #expect(store.brain.budgets(of: "t").count == 1)
    #expect(store.isLive("t") && !store.isLive("s"))
  }

  @Test func whatIsNoStateIsAProblemUntilTheNextOne() {
    let store = VoiceStore()
    apply(Self.state(age: 1, prompt: "be kind"), to: store)
    apply("[]", to: store)
    #expect(store.problem != nil)
    #expect(store.sessions.count == 1)
    apply("{\"sessions\":[", to: store)
    #expect(store.problem?.contains("not JSON") == true)
    // The one that was read last, over again.
    apply(Self.state(age: 1, prompt: "be kind"), to: store)
    #expect(store.problem == nil)
    apply("[]", to: store)
    apply(Self.state(age: 2, prompt: "be kind"), to: store)
    #expect(store.problem == nil)
  }

  @Test("a state that comes again is received, not read again")
  func repetitions() {
    let store = VoiceStore()
    apply("{\"activeCount\":0,\"sessions\":[]}", to: store)
    #expect(!store.hasSessions)
    store.applyRepeated(atNs: 3)
    #expect(store.receivedNs == 3)
    apply("[]", to: store)
    store.applyRepeated(atNs: 4)
    #expect(store.problem != nil, "what cannot be read still cannot")
    apply(Self.state(age: 1, prompt: "be kind"), to: store)
    #expect(store.hasSessions)
  }
}
