import ClankyWire
import LenientJSON
import Testing

@Suite("Commands and infrastructure")
struct CommandTests {
  @Test("schedules")
  func schedules() throws {
    func schedule(_ text: String) throws -> AutomationSchedule? {
      AutomationSchedule(try .parse(text))
    }
    #expect(
      try schedule(#"{"kind": "daily", "hour": 9, "minute": 30}"#) == .daily(hour: 9, minute: 30))
    #expect(
      try schedule(#"{"kind": "interval", "everyMinutes": 90}"#) == .interval(everyMinutes: 90))
    #expect(
      try schedule(#"{"kind": "once", "atIso": "1970-01-01T00:00:00.005Z"}"#)
        == .once(at: WireTime(milliseconds: 5)))
    for odd in [
      #"{"kind": "weekly", "day": 1}"#, #"{"kind": "daily", "hour": 24, "minute": 0}"#,
      #"{"kind": "daily", "hour": 9}"#, #"{"kind": "interval", "everyMinutes": 0}"#,
      #"{"kind": "once", "atIso": "tomorrow"}"#, "{}",
    ] {
      #expect(try schedule(odd) == .other(try .parse(odd)))
    }
    #expect(try schedule("[]") == nil)
  }

  @Test("every join reason has a sentence of its own, an unknown one is quoted")
  func joinReasons() throws {
    let reasons: [JoinReason] = [
      .joined, .alreadyInChannel, .noGuildAvailable, .guildNotFound, .requesterNotInVoice,
      .requesterIsBot, .noVoiceMembersFound, .textChannelUnavailable, .joinNotHandled,
      .voiceJoinUnconfirmed, .voiceJoinUnknown, .voiceJoinUnavailable,
    ]
    #expect(Set(reasons.map(\.sentence)).count == reasons.count)
    for reason in reasons {
      #expect(
        reason.sentence.hasSuffix(".") && !reason.sentence.contains(reason.rawValue + "\u{201D}"))
    }
    let result = try #require(JoinResult(try .parse(#"{"ok": false, "reason": "moon_phase"}"#)))
    #expect(result.reason?.sentence.contains("moon_phase") == true)
    #expect(JoinRequest().body == .object(JSONObject()))
    #expect(
      JoinRequest(guildID: "7", source: "cockpit").body
        == (try JSONValue.parse(#"{"guildId": "7", "source": "cockpit"}"#)))
  }

  @Test(
    "error bodies in all dialects",
    arguments: [
      (#"{"error": "a"}"#, ErrorBody(dialect: .error, message: "a")),
      (#"{"ok": false, "error": "a"}"#, ErrorBody(dialect: .okError, message: "a")),
      (
        #"{"ok": false, "reason": "a", "message": "m"}"#,
        ErrorBody(dialect: .okReason, message: "a", detail: "m")
      ),
      (#"{"accepted": false, "reason": "a"}"#, ErrorBody(dialect: .acceptedReason, message: "a")),
      (#"{"error": 5, "reason": "a"}"#, ErrorBody(dialect: .okReason, message: "a")),
      (#"{"ok": false}"#, ErrorBody(dialect: .otherJSON)),
      ("[]", ErrorBody(dialect: .otherJSON)), ("null", ErrorBody(dialect: .otherJSON)),
      ("", ErrorBody(dialect: .empty)), (" \r\n", ErrorBody(dialect: .empty)),
      ("Not found.", ErrorBody(dialect: .plainText, message: "Not found.")),
      ("one\ntwo", ErrorBody(dialect: .plainText, message: "one")),
      (" <!doctype html><title>502</title>", ErrorBody(dialect: .html)),
    ])
  func errorBodies(text: String, expected: ErrorBody) {
    #expect(ErrorBody(body: Array(text.utf8)) == expected)
  }

  @Test("a page is told by its type too, invalid bytes are repaired, long text is cut")
  func oddBodies() {
    #expect(
      ErrorBody(body: Array("gone".utf8), contentType: "Text/HTML; charset=x").dialect == .html)
    #expect(ErrorBody(body: [0x61, 0xFF]).message == "a\u{FFFD}")
    #expect(ErrorBody(body: Array(repeating: 0x78, count: 1_000_000)).message?.count == 200)
  }

  @Test("the guild name a purge expected is kept")
  func purge() throws {
    let body = ErrorBody(
      try .parse(
        #"{"ok": false, "error": "guild_name_confirmation_mismatch", "expectedGuildName": "Bench"}"#
      ))
    #expect(body.expectedGuildName == "Bench")
  }

  @Test("settings keep their version letter by letter")
  func settings() throws {
    let json = try JSONValue.parse(
      #"""
      {"intent": {"a": 1}, "effective": {}, "bindings": {"providerAuth": {"openai": true,
      "xai": false, "odd": "?"}, "else": 1}, "_meta": {"updatedAt": "2026-05-09 19:00:00",
      "saveAppliedToRuntime": false, "saveApplyError": "x"}}
      """#
    )
    let settings = try #require(SettingsEnvelope(json))
    #expect(settings.bindings.providerAuth == ["openai": true, "xai": false])
    #expect(
      settings.meta
        == SettingsMeta(
          updatedAt: "2026-05-09 19:00:00", saveAppliedToRuntime: false, saveApplyError: "x"))
    #expect(settings.intent?["a"]?.int == 1)
    #expect(OAuthStatus(try .parse(#"{"claude_oauth": true}"#)) == OAuthStatus(claudeOauth: true))
  }

  @Test("rows without an id stay, with an empty one")
  func sessionsWithoutID() throws {
    let list = try #require(
      WireList<HistorySession>(
        try .parse(#"[{"sessionId": null, "guildId": "", "endReason": "crash"}]"#)))
    #expect(list.rows == [HistorySession(endReason: "crash")])
  }

  @Test("the dialect is March until something tells otherwise; the last word counts")
  func dialect() throws {
    var evidence = DialectEvidence()
    #expect(evidence.told == nil && evidence.dialect == .march)
    evidence.note(VoiceState())
    evidence.note([Fact(id: 1)])
    evidence.note(.ofOAuthStatus(404))
    #expect(evidence.told == nil)
    evidence.note([Fact(), Fact(dialect: .may)])
    #expect(evidence.dialect == .may)
    evidence.note(VoiceState(sessions: [VoiceSession(streamWatch: StreamWatch(dialect: .march))]))
    #expect(evidence.told == .march)
    evidence.note(.ofOAuthStatus(200))
    #expect(evidence.dialect == .may)
  }

  @Test("a run's flag may be a number")
  func runningFlag() throws {
    #expect(Automation(try .parse(#"{"is_running": 1}"#))?.isRunning == true)
    #expect(Automation(try .parse(#"{"is_running": false}"#))?.isRunning == false)
    #expect(Automation(try .parse(#"{"is_running": 2}"#))?.isRunning == nil)
  }
}
