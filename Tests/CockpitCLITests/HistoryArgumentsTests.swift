import CockpitSession
import ArgumentParser
import CockpitStores
import Testing

@testable import CockpitCLI

/// What `actions`, `sessions`, `session` and `voice` understand, and what they refuse before they
/// ask the backend for anything.
@MainActor
@Suite struct HistoryArgumentsTests {
  private func parse(_ words: String) throws -> any ParsableCommand {
    try ClankyCockpit.parseAsRoot(words.split(separator: " ").map(String.init))
  }

  @Test func actionsReadsItsOptions() throws {
    let actions = try #require(
      try parse("actions --since 2h --kinds llm_call,,sent_reply --filter -kind:llm_* -n 5 --json")
        as? ActionsCommand)
    #expect(actions.since?.milliseconds == 7_200_000)
    #expect(actions.kindList == ["llm_call", "sent_reply"])
    #expect(actions.count == 5 && actions.json && !actions.filter.isEmpty)
  }

  @Test func voiceReadsItsOptions() throws {
    let join = try #require(
      try parse("voice join --guild Den --user mira --text-channel general --read-only")
        as? VoiceJoinCommand)
    #expect(join.options.shared.guild == "Den" && join.options.readOnly)
    #expect(join.user == "mira" && join.textChannel == "general")
    #expect(try parse("voice leave") is VoiceLeaveCommand)
    #expect(try parse("session abc --json") is SessionCommand)
    #expect((try parse("sessions -n 7") as? SessionsCommand)?.count == 7)
  }

  @Test(arguments: [
    "actions -n 0", "actions --since soon", "actions --filter kind:", "actions --kinds ,",
    "actions --json --plain", "sessions -n 0", "sessions -n 201", "session", "session a b",
    "voice join --user",
  ])
  func refused(words: String) { #expect(throws: (any Error).self) { try parse(words) } }

  // MARK: Names

  private let candidates = [
    VoiceTargets.Candidate(id: "100000000000000001", name: "Den"),
    VoiceTargets.Candidate(id: "100000000000000002", name: "Yard", place: "Home"),
    VoiceTargets.Candidate(id: "100000000000000003", name: "yard"),
  ]

  private func pick(_ text: String) throws -> String? {
    try VoiceTargets.pick(text, of: candidates, what: "guilds", none: "none")
  }

  @Test func namesAndIDsArePicked() throws {
    #expect(try pick("den") == "100000000000000001")
    #expect(try pick("#Den ") == "100000000000000001")
    #expect(try pick("100000000000000003") == "100000000000000003")
    // An id that nobody knows here is the backend's to judge.
    #expect(try pick("100000000000000009") == nil)
  }

  @Test func whatIsNotClearIsRefused() throws {
    do {
      _ = try pick("YARD")
      Issue.record("picked one of two")
    } catch let failure as Failure {
      #expect(failure.code == 2)
      #expect(failure.description.contains("Yard (100000000000000002, in Home)"))
      #expect(failure.description.contains("yard (100000000000000003)"))
    }
    do {
      _ = try pick("attic")
      Issue.record("picked what is not there")
    } catch let failure as Failure {
      #expect(failure.code == 1 && failure.description == "none")
    }
  }
}
