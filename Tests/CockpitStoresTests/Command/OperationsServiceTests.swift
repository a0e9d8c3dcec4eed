import Networking
import ClankyWire
import Testing

@testable import CockpitStores

@MainActor
@Suite struct OperationsServiceTests {
  private let store = OperationsStore()
  private let backend = ScriptedBackend()
  private let clock = HandClock()
  private let service: OperationsService

  init() { service = OperationsService(store: store, requester: backend, clock: clock) }

  private func makeKnown() {
    service.perform(.loadGuilds)
    backend.answer(#"[{"id":"1","name":"Workshop"}]"#)
  }

  @Test func theSameRequestIsNeverUnderWayTwice() {
    service.perform(.loadGuilds)
    service.perform(.loadGuilds)
    service.perform(.loadChannels(guild: "1"))
    service.perform(.loadChannels(guild: "2"))
    service.perform(.loadChannels(guild: "1"))
    #expect(backend.paths == ["/api/guilds", "/api/guilds/1/channels", "/api/guilds/2/channels"])
    #expect(store.guilds.isLoading)
    backend.answer(#"[{"id":"1","name":"Workshop"},7,{"id":"2"}]"#)
    #expect(store.guilds.value?.map(\.id) == ["1", "2"])
    service.perform(.loadGuilds)
    // What is known stays while it is fetched anew.
    #expect(store.guilds.isLoading && store.guilds.value?.count == 2)
  }

  @Test func whatCannotBeReadIsASentenceAndKeepsWhatWasThere() {
    makeKnown()
    for body in ["", "null", "{}", "\u{1B}]0;x", "[[[["] {
      service.perform(.loadGuilds)
      backend.answer(body)
      #expect(store.guilds.problem?.contains("could not be understood") == true, "\(body)")
      #expect(store.guilds.value?.count == 1)
    }
    service.perform(.loadGuilds)
    backend.answer(500, #"{"error":"boom"}"#)
    #expect(store.guilds.problem?.contains("500") == true)
    service.perform(.loadGuilds)
    backend.fail(.timedOut(.transfer))
    #expect(store.guilds.problem?.contains("in time") == true)
    let timeOut = RestFailure(failure: .timedOut(.transfer), mayHaveArrived: true)
    #expect(store.guilds.failure == .unanswered(timeOut))
  }

  @Test func listsOfAGuildAndOfAnAutomation() {
    service.perform(.loadAutomations(guild: "9"))
    backend.answer(#"{"guildId":"9","rows":[{"id":4,"title":"digest","status":"active"},"x"]}"#)
    #expect(store.automations["9"]?.value?.rows.map(\.title) == ["digest"])
    #expect(store.automations["9"]?.value?.omitted == 1)
    service.perform(.loadRuns(guild: "9", automation: 4))
    backend.answer(400, #"{"error":"guildId and automationId are required"}"#)
    #expect(store.runs[4]?.problem?.contains("are required") == true)
    service.perform(.loadBrowserSessions)
    backend.answer(#"{"guildId":null,"sessions":[{"sessionId":"b1","failed":false}]}"#)
    #expect(store.browserSessions.value?.sessions.first?.sessionID == "b1")
    #expect(
      backend.paths == [
        "/api/automations?guildId=9&limit=120",
        "/api/automations/runs?guildId=9&automationId=4&limit=30",
        "/api/agents/browser-sessions?sinceHours=24&limit=100",
      ])
  }

  @Test func aRouteOfMayThatAMarchBackendLacksIsNotServed() {
    service.perform(.loadAccounts)
    #expect(backend.paths == ["/api/settings"])
    backend.answer(
      #"{"intent":{"secret":1},"effective":{},"bindings":{"providerAuth":{"openai":true}},"_meta":{"updatedAt":"v1"}}"#
    )
    #expect(store.settings.value?.bindings.providerAuth == ["openai": true])
    #expect(store.settings.value?.intent == nil)
    backend.fail(.notClanky(.wrongPath))
    guard case .notServed = store.accounts else {
      Issue.record("\(store.accounts)")
      return
    }
  }

  @Test func behindATunnelA404MayMeanTheToken() {
    service.perform(.loadAccounts)
    backend.fail(.hidden(tokenGiven: true))
    backend.fail(.hidden(tokenGiven: true))
    #expect(store.settings.problem?.contains("token") == true)
    #expect(store.accounts.problem?.contains("token") == true)
  }

  @Test func mayTellsWhichAccountsAreConnected() {
    service.perform(.loadAccounts)
    backend.answer("{}")
    backend.answer(#"{"claude_oauth":true,"openai_oauth":false}"#)
    #expect(store.accounts.value == OAuthStatus(claudeOauth: true, openaiOauth: false))
  }

  // MARK: Join

  private var joinProblem: String? {
    if case .failed(let failure, _) = store.join { failure.sentence } else { nil }
  }

  private var joined: JoinResult? {
    if case .ended(let result, _) = store.join { result } else { nil }
  }

  @Test func joinIsSentOnceWithATimeThatIsLong() throws {
    service.perform(.join(JoinRequest(guildID: "1")))
    service.perform(.join(JoinRequest(guildID: "1")))
    #expect(store.join.isUnderWay && backend.log.count == 1)
    let request = try #require(backend.log.first)
    #expect(request.method == .post && request.totalMs == 60_000)
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"guildId":"1","source":"clanky-cockpit"}"#)
    backend.answer(#"{"ok":true,"reason":"joined","guildId":"1","voiceChannelId":"7"}"#)
    #expect(joined?.ok == true && joined?.voiceChannelID == "7")
  }

  @Test(arguments: [
    "no_guild_available", "guild_not_found", "requester_not_in_voice", "requester_is_bot",
    "no_voice_members_found", "text_channel_unavailable", "join_not_handled",
    "voice_join_unconfirmed", "voice_join_unknown", "something_new",
  ])
  func aRefusalIsAResult(reason: String) {
    service.perform(.join(JoinRequest()))
    backend.answer(#"{"ok":false,"reason":"\#(reason)","guildId":null}"#)
    #expect(joined?.ok == false && joined?.reason?.rawValue == reason)
  }

  @Test func aBackendWithoutVoiceSaysSoWith503() {
    service.perform(.join(JoinRequest()))
    backend.answer(503, #"{"ok":false,"reason":"voice_join_unavailable"}"#)
    #expect(joined?.reason == .voiceJoinUnavailable)
  }

  @Test func anUnknownOutcomeIsCalledUnknown() {
    for end in [
      { backend.fail(.timedOut(.transfer)) }, { backend.fail(.connectionLost("reset")) },
      { backend.answer(500, #"{"error":"boom"}"#) }, { backend.answer("[]") },
      { backend.answer("{}") }, { backend.fail(.tunnelDown(status: 524, code: nil)) },
    ] {
      service.perform(.join(JoinRequest()))
      end()
      #expect(joinProblem?.contains("is unknown; look at VOICE") == true, "\(store.join)")
    }
    service.perform(.join(JoinRequest()))
    backend.fail(.refused(origin: "http://x"), mayHaveArrived: false)
    #expect(joinProblem?.contains("unknown") == false)
    service.perform(.join(JoinRequest()))
    backend.fail(.unauthorized(tokenGiven: true))
    #expect(joinProblem?.contains("token") == true)
  }

  @Test func changesAreMadeOneAtATime() {
    service.perform(.join(JoinRequest()))
    service.perform(.refreshMemory(guild: nil))
    service.perform(.leave(guild: nil))
    #expect(backend.log.count == 1)
    guard case .failed(let failure, _) = store.memoryRefresh, case .failed = store.leave else {
      Issue.record("\(store.memoryRefresh) \(store.leave)")
      return
    }
    #expect(failure.sentence.contains("under way"))
    // Reading goes on meanwhile.
    service.perform(.loadGuilds)
    #expect(backend.log.count == 2)
  }

  @Test func nothingIsChangedWhereTheProfileIsReadOnly() {
    let service = OperationsService(
      store: store, requester: backend, clock: clock, isReadOnly: true)
    for request in [
      OperationsRequest.join(JoinRequest()), .leave(guild: nil), .refreshMemory(guild: "1"),
    ] {
      service.perform(request)
    }
    #expect(backend.log.isEmpty)
    #expect(joinProblem?.contains("read-only") == true)
  }

  // MARK: Leave and refresh

  @Test func leaveIsTriedOnlyWhenAskedFor() {
    makeKnown()
    #expect(store.canLeave == nil && backend.paths == ["/api/guilds"])
    service.perform(.leave(guild: "1"))
    #expect(backend.paths.last == "/api/voice/leave")
    backend.fail(.hidden(tokenGiven: true))
    #expect(store.canLeave == false)
    guard case .failed(let failure, _) = store.leave else {
      Issue.record("\(store.leave)")
      return
    }
    #expect(failure == ChangeFailure(.other(LeaveText.notServed)))
  }

  @Test func aBackendThatCanLeaveIsBelieved() {
    service.perform(.leave(guild: nil))
    backend.answer(#"{"ok":true,"reason":"left"}"#)
    #expect(store.canLeave == true)
    guard case .ended(true, _) = store.leave else {
      Issue.record("\(store.leave)")
      return
    }
    service.perform(.leave(guild: nil))
    backend.answer(#"{"ok":false,"reason":"no_active_session"}"#)
    guard case .failed(let failure, _) = store.leave else {
      Issue.record("\(store.leave)")
      return
    }
    #expect(failure.sentence.contains("nothing to leave"))
  }

  @Test func refreshingTheSummaryOfTheMemory() {
    service.perform(.refreshMemory(guild: "1"))
    backend.answer(#"{"ok":true,"guildId":"1","markdown":"..."}"#)
    guard case .ended(true, _) = store.memoryRefresh else {
      Issue.record("\(store.memoryRefresh)")
      return
    }
    service.perform(.refreshMemory(guild: nil))
    #expect(String(decoding: backend.log.last?.body ?? [], as: UTF8.self) == "{}")
    backend.fail(.timedOut(.transfer))
    guard case .failed(let failure, _) = store.memoryRefresh else {
      Issue.record("\(store.memoryRefresh)")
      return
    }
    #expect(failure.sentence.contains("unknown"))
  }
}
