import ClankyWire
import LenientJSON
import Testing

@testable import CockpitStores

@Suite struct PromptVersionsTests {
  private func snapshot(_ system: String, _ user: String = "hi", at second: Int = 0)
    -> PromptSnapshot
  {
    PromptSnapshot(
      updatedAt: WireTime(milliseconds: Int64(second) * 1000), source: "realtime",
      replyPrompts: PromptBundle(systemPrompt: system, initialUserPrompt: user))
  }

  @Test func onlyChangesAreKept() {
    var prompts = PromptVersions()
    for second in 0..<5 { prompts.note(snapshot("you are", at: second), session: "s", .generation) }
    prompts.note(snapshot("you are", at: 4), session: "s", .generation)  // told again
    prompts.note(snapshot("you were", at: 5), session: "s", .generation)
    let versions = prompts.versions(of: "s", .generation)
    #expect(versions.map(\.number) == [1, 2])
    #expect(versions.first?.captures == 5)
    #expect(prompts.versions(of: "s", .bridge).isEmpty)
    #expect(prompts.firstLength(of: "s", .generation) == 9)
  }

  @Test func twentyStayAndKeepTheirNumbers() {
    var prompts = PromptVersions()
    for index in 1...50 { prompts.note(snapshot("v\(index)"), session: "s", .bridge) }
    let versions = prompts.versions(of: "s", .bridge)
    #expect(versions.count == PromptVersions.limit)
    #expect(versions.last?.number == 50)
    #expect(versions.first?.number == 31)
  }

  @Test func bytesAreBoundedAndTheNewestStays() {
    var prompts = PromptVersions(byteLimit: 10_000)
    for index in 1...30 {
      prompts.note(
        snapshot(String(repeating: "x", count: 3000) + "\(index)"), session: "a", .generation)
      prompts.note(
        snapshot(String(repeating: "y", count: 3000) + "\(index)"), session: "b", .generation)
      #expect(prompts.byteCount <= 10_000 + 2 * 3010)
    }
    #expect(prompts.versions(of: "b", .generation).last?.number == 30)
  }

  @Test func anEqualLookingTextIsAnotherVersion() {
    var prompts = PromptVersions()
    prompts.note(snapshot("caf\u{E9}"), session: "s", .generation)
    prompts.note(snapshot("cafe\u{301}"), session: "s", .generation)
    #expect(prompts.versions(of: "s", .generation).count == 2)
  }

  @Test func partsOfABundleAndOfARow() throws {
    let bundle = PromptBundle(
      systemPrompt: "sys", initialUserPrompt: "", followupUserPrompts: ["one", "two"],
      tools: [PromptTool(name: "web_search", description: "looks", parameters: nil)])
    let content = PromptContent(bundle)
    #expect(content.parts.map(\.key) == [.system, .followup(0), .followup(1), .tools])
    #expect(content[.tools]?.count == 1)
    let row = try JSONValue.parse(
      Array(#"{"systemPrompt":"s","lastUserContent":"u","transcript":"out"}"#.utf8))
    let action = PromptContent(metadata: row)
    #expect(action.parts.map(\.key) == [.system, .user, .output])
    #expect(action.length == 2)  // what the model said was not sent to it
    #expect(PromptContent(metadata: .null).parts.isEmpty)
  }

  @Test func oneGenerationIsOneCapture() {
    var history = BrainHistory()
    func state(_ second: Int, chars: Int) -> VoiceState {
      var session = VoiceSession(sessionID: "s")
      session.conversation.modelContext.generation = GenerationBudget(
        capturedAt: WireTime(milliseconds: Int64(second) * 1000), sentTurns: 8, maxTurns: 50,
        contextChars: chars)
      return VoiceState(sessions: [session])
    }
    history.note(state(1, chars: 100))
    history.note(state(1, chars: 100))
    history.note(state(2, chars: 140))
    #expect(history.budgets(of: "s").map(\.contextChars) == [100, 140])
    #expect(history.budgets(of: "other").isEmpty)
    for second in 3...400 { history.note(state(second, chars: second)) }
    #expect(history.budgets(of: "s").count == BrainHistory.captureLimit)
  }
}
