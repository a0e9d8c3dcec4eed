import ArgumentParser
import ClankyWire
import CockpitDemo
import CockpitDomain
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import CockpitText
import Dispatch
import Foundation
import MainLoop
import Networking
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitApp
@testable import CockpitCLI

/// Every figure of a guild is compared with a count over the JSON rows of the demo's own log, which is made here
/// and shares nothing with the program.
@MainActor @Suite(.serialized) struct GuildScopeTests {
  nonisolated static let guilds = [
    "771043920118841344", "822190335507759104", "903377815264153600", "555000000000000001",
  ]

  /// A row of the demo's log as JSON has it.
  struct Raw {
    let ms: Int64
    let guild: String?
    let kind: String
    let content: String?
    let usd: Double
    let metadata: [String: Any]

    init?(_ json: [String: Any]) {
      guard let at = json["created_at"] as? String, let kind = json["kind"] as? String,
        let ms = Self.milliseconds(at)
      else { return nil }
      self.ms = ms
      self.kind = kind
      guild = json["guild_id"] as? String
      content = json["content"] as? String
      usd = (json["usd_cost"] as? NSNumber)?.doubleValue ?? 0
      metadata = json["metadata"] as? [String: Any] ?? [:]
    }

    /// `2026-05-09T18:22:44.900Z`
    static func milliseconds(_ text: String) -> Int64? {
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      return formatter.date(from: text).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }
  }

  /// A demo whose past is finished, its rows, and the program's model of it.
  private struct Bot {
    let server: DemoServer
    let backend: Backend
    let model: CockpitModel
    let rows: [Raw]

    func rows(of guild: String) -> [Raw] { rows.filter { $0.guild == guild } }
  }

  private func environment() -> CockpitSession.Environment {
    CockpitSession.Environment(
      arguments: [], variables: ["HOME": "/nowhere", "CLANKY_TOKEN": "proof"],
      output: Output(.function { _ in }, variables: [:], areTerminals: (false, false)),
      terminals: .init(input: false, output: false, error: false), readLine: { nil },
      end: { _ in })
  }

  private func bot(_ scenario: DemoScenario) async throws -> Bot {
    let server = try await DemoServer.start(
      DemoOptions(scenario: scenario, token: "proof", faults: DemoFaults(httpControl: true)))
    let options = try SharedOptions.parse(["--url", server.url])
    let backend = try await Backend.open(try Settings(options, in: environment()))
    let model = CockpitModel(OpenedSource(backend))
    let failure = await model.bot.firstFacts()
    #expect(failure == nil, "\(String(describing: failure)) \(model.bot.source.status.detail)")
    await model.bot.waitForNames()
    model.bot.fetchDay()
    let source = model.bot.source
    for _ in 0..<600 where source.status.history.topic != nil || model.bot.activity.log.count <= 220
    {
      try await Task.sleep(for: .milliseconds(20))
    }
    let link = backend.link(streams: [])
    let answer = try await link.answer(
      to: RestRequest(.get, RequestTarget(["__demo", "rows"]))
    ).get()
    let list = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]] ?? []
    return Bot(server: server, backend: backend, model: model, rows: list.compactMap(Raw.init))
  }

  /// What the screen shows of a guild, as text, after everything that it asks for is there.
  private func screen(_ tab: Tab, _ guild: String, _ bot: Bot) async -> (String, ViewContext) {
    let model = bot.model
    let size = Size(width: 200, height: 60)
    var shell = CockpitShell(tab: tab, guild: guild, size: size)
    model.scope = GuildScope(guild)
    await model.bot.waitForGuildStats(model.scope)
    if tab == .memory { await model.bot.waitForMemory(guild: guild) }
    if tab == .cmd || tab == .voice { await model.bot.waitForCommand() }
    model.bot.catchUpFully(shell.shown)
    model.judgeFully()
    shell.prepare(model.facts)
    let canvas = shell.render(model.facts, size: size).canvas
    let text = (0..<canvas.size.height).map { canvas.text(row: $0) }.joined(separator: "\n")
    var facts = model.facts
    facts.scope = model.scope
    return (text, facts)
  }

  private func count(_ value: Int) -> String {
    let formatter = NumberFormatter()
    formatter.numberStyle = .decimal
    formatter.locale = Locale(identifier: "en_US")
    return formatter.string(from: NSNumber(value: value)) ?? "\(value)"
  }

  @Test(
    "what PULSE shows of a guild equals a count over its rows",
    arguments: [
      DemoScenario.night, .evening,
    ])
  func pulse(scenario: DemoScenario) async throws {
    let bot = try await bot(scenario)
    for guild in Self.guilds {
      let (text, facts) = await screen(.pulse, guild, bot)
      let counts = facts.windowCounts
      let own = bot.rows(of: guild)
      func since(_ chip: ChipGroup) throws -> [Raw] {
        let begin = try #require(counts.beginMs(chip))
        return own.filter { $0.ms >= begin }
      }
      let all = try since(.all)
      #expect(
        text.contains("ACT \(count(all.count))/"), "\(guild) \(all.count)\n\(text.prefix(1200))")
      #expect(counts.count(.all) == all.count)
      let calls = try since(.llm).filter { $0.kind.hasPrefix("llm_") }
      #expect(counts.count(.llm) == calls.count, "\(guild) LLM")
      let voice = try since(.voice).filter { row in
        ["voice_", "asr_", "tts_", "clankvox"].contains { row.kind.hasPrefix($0) }
      }
      #expect(counts.count(.voice) == voice.count, "\(guild) VOX")
      let memory = try since(.memory).filter { $0.kind.hasPrefix("memory_") }
      #expect(counts.count(.memory) == memory.count, "\(guild) MEM")
      // Failures are told by the kind, or by the row's own words.
      let errors = try since(.error).filter(Self.isFailure)
      #expect(counts.count(.error) == errors.count, "\(guild) ERR")
      // The feed holds the guild's rows and no other.
      let log = facts.activity.log
      let shown = (0..<facts.feed.count).compactMap { facts.feed.row(at: $0, in: log) }
        .filter { !$0.isGap }
      #expect(shown.allSatisfy { $0.guildID == guild })
      #expect(shown.count == log.count(in: GuildScope(guild)))
      #expect(shown.count >= all.count)
      // The rate of each of the last 60 minutes.
      let minutes = facts.activity.rates(in: facts.scope, nowMs: facts.minuteMs)
        .perMinute(nowMs: facts.minuteMs)
      for (back, rate) in minutes.reversed().enumerated() {
        let start = facts.minuteMs - Int64(back) * 60_000
        guard start >= (facts.activity.rateBeginMs(in: facts.scope) ?? .max) else { continue }
        let rows = own.filter { (start..<start + 60_000).contains($0.ms) }
        #expect(rate.actions == rows.count && rate.failures == rows.filter(Self.isFailure).count)
      }
      // The cost of the UTC day, as the backend sums it.
      let day = facts.nowMs - facts.nowMs % 86_400_000
      let usd = own.filter { $0.ms >= day }.reduce(0) { $0 + $1.usd }
      #expect(abs((facts.costToday ?? -1) - usd) < 1e-6, "\(guild) cost")
    }
    await bot.server.stop()
  }

  @Test(
    "what CMD, BRAIN and VOICE show of a guild equals a count over its rows",
    arguments: [DemoScenario.night, .evening])
  func others(scenario: DemoScenario) async throws {
    let startMs = Int64(Date().timeIntervalSince1970 * 1000)
    let bot = try await bot(scenario)
    for guild in Self.guilds {
      let own = bot.rows(of: guild)
      let (text, facts) = await screen(.cmd, guild, bot)
      let stats = try #require(facts.activity.stats(in: facts.scope))
      // The backend counted a day back from a moment between these two.
      let starts = [facts.nowMs, startMs].map { $0 - 86_400_000 }
      for (kind, count) in stats.last24h {
        let counts = starts.map { start in own.count { $0.kind == kind && $0.ms >= start } }
        #expect((counts[0]...counts[1]).contains(count), "\(guild) \(kind)")
      }
      let latency = try #require(ReplyLatency(stats.performance))
      for phase in ReplyLatency.Phase.allCases {
        let possible = starts.map { start in
          let times = Self.times(phase.member, own.filter { $0.ms >= start })
          return [times.count, Self.rank(times, 0.5), Self.rank(times, 0.95)]
        }
        let found = latency[phase]
        #expect(possible.contains([found.count, found.p50Ms, found.p95Ms]), "\(guild) \(phase)")
      }
      #expect(text.contains("REPLY LATENCY"))
      // Costs: today, all, each of the days.
      let day = facts.nowMs - facts.nowMs % 86_400_000
      func usd(_ rows: [Raw]) -> Double { rows.reduce(0) { $0 + $1.usd } }
      #expect(abs((facts.costs.today ?? -1) - usd(own.filter { $0.ms >= day })) < 1e-6)
      #expect(abs((facts.costs.retained ?? -1) - usd(own)) < 1e-6, "\(guild) stored")
      for (index, cost) in facts.costs.days.enumerated() {
        let start = day - Int64(13 - index) * 86_400_000
        let rows = own.filter { (start..<start + 86_400_000).contains($0.ms) }
        #expect(abs((cost ?? 0) - usd(rows)) < 1e-6, "\(guild) day \(index)")
      }
      // Calls of the models, and sessions.
      let kinds = LlmCallTable.kinds
      let begin = try #require(facts.activity.coverage.beginMs(kinds: kinds, guild: guild))
      // Old ones are read some at a time.
      repeat {
        _ = facts.calls.calls(in: facts.activity.log, by: .time)
      } while !facts.calls
        .isComplete
      let calls = facts.calls.calls(in: facts.activity.log, by: .time)
      #expect(
        calls.count { $0.timeMs >= begin }
          == own.count { kinds.contains($0.kind) && $0.ms >= begin }, "\(guild) calls")
      let past = facts.pastSessions
      #expect(past.allSatisfy { $0.guildID == guild })
      let listed = Set(past.map(\.sessionID)).subtracting(facts.voice.cutOff)
      #expect(listed == Self.ended(own), "\(guild) sessions")
      #expect(facts.liveSessions.isEmpty)
    }
    await bot.server.stop()
  }

  private static func ended(_ rows: [Raw]) -> Set<String> {
    Set(
      rows.filter { $0.kind == "voice_session_end" }
        .compactMap { $0.metadata["sessionId"] as? String })
  }

  @Test(
    "the verbs say the same of a guild as its rows, by its id and by its name",
    arguments: [DemoScenario.night, .evening])
  func verbs(scenario: DemoScenario) async throws {
    let bot = try await bot(scenario)
    let names = bot.model.bot.connection.names.guilds
    for guild in Self.guilds {
      let own = bot.rows(of: guild)
      for text in [guild, names[guild]?.uppercased()].compactMap({ $0 }) {
        let status = try #require(try await objects(["status", "--json"], text, bot).first)
        let end = Int64(Date().timeIntervalSince1970 * 1000)
        let now = try #require((status["at"] as? String).flatMap(Raw.milliseconds))
        #expect(status["guild_id"] as? String == guild)
        // The backend counts an hour and a day back from the moment of its answer, which lies between these two.
        // An answer lists 1,000 rows at most.
        func expect(
          _ found: Int?, _ hours: Int64, _ what: String, most: Int = .max,
          _ isCounted: (Raw) -> Bool
        ) {
          let counts = [end, now].map { time in
            min(most, own.count { $0.ms >= time - hours * 3_600_000 && isCounted($0) })
          }
          #expect((counts[0]...counts[1]).contains(found ?? -1), "\(guild) \(what)")
        }
        expect(status["actions"] as? Int, 1, "actions", most: 1000) { _ in true }
        expect(status["errors"] as? Int, 1, "errors", Self.isFailure)
        let day = now - now % 86_400_000
        let usd = own.filter { $0.ms >= day }.reduce(0) { $0 + $1.usd }
        let cost = try #require((status["cost_today_usd"] as? NSNumber)?.doubleValue)
        #expect(abs(cost - usd) < 1e-6, "\(guild) cost")
        let counts = try #require(status["last_24h"] as? [String: Int])
        for (kind, count) in counts { expect(count, 24, kind) { $0.kind == kind } }
        let latency = try #require(status["latency"] as? [String: Any])
        for phase in ReplyLatency.Phase.allCases {
          let found = try #require(latency[phase.rawValue] as? [String: Any])
          let possible = [now, end].map { time in
            let times = Self.times(phase.member, own.filter { $0.ms >= time - 86_400_000 })
            return [times.count, Self.rank(times, 0.95)]
          }
          #expect(possible.contains([found["n"] as? Int, found["p95_ms"] as? Int]), "\(phase)")
        }
      }
      // Rows with prompts would not fit into what is captured of a verb.
      let other = own.filter { row in
        !["voice_runtime", "llm_", "sent_", "reply_", "automation_", "initiative_"]
          .contains { row.kind.hasPrefix($0) }
      }
      let before = Int64(Date().timeIntervalSince1970 * 1000) - 86_400_000
      let kinds = Set(other.filter { $0.ms >= before }.map(\.kind)).sorted().joined(separator: ",")
      if !kinds.isEmpty {
        let rows = try await objects(
          ["actions", "--since", "1d", "--json", "--kinds", kinds], guild, bot)
        let after = Int64(Date().timeIntervalSince1970 * 1000) - 86_400_000
        let possible = [after, before].map { start in other.count { $0.ms >= start } }
        #expect((possible[0]...possible[1]).contains(rows.count), "\(guild) actions of a day")
        #expect(rows.allSatisfy { $0["guild_id"] as? String == guild })
      }
      let sessions = try await objects(["sessions", "--json"], guild, bot)
      let ids = Set(sessions.compactMap { $0["session_id"] as? String })
      #expect(Self.ended(own).isSubset(of: ids), "\(guild) sessions")
      #expect(sessions.allSatisfy { $0["guild_id"] as? String == guild })
      let why = try await objects(["why", "last", "--json"], guild, bot)
      #expect(
        why.allSatisfy { ($0["exchange"] as? [String: Any])?["guild_id"] as? String == guild })
    }
    await bot.server.stop()
  }

  @Test("tail gives past and live actions of a guild and no others, and ends with its stream")
  func tail() async throws {
    let bot = try await bot(.night)
    for guild in Self.guilds {
      let own = bot.rows(of: guild)
      let streams = await bot.server.streamCount().activity
      let lines = Task {
        await output(["tail", "--json", "--once", "-n", "12", "--since", "1d"], guild, bot)
      }
      // Its stream is open, and what it asks for is answered.
      var answered = -1
      for _ in 0..<500 {
        try await Task.sleep(for: .milliseconds(100))
        let count = await bot.server.log().count
        let isOpen = await bot.server.streamCount().activity > streams
        if isOpen, count == answered { break }
        answered = count
      }
      for place in [guild, "888000000000000008", nil] {
        await bot.server.emit(
          kind: "dashboard", content: .string("proof_of_tail"), guild: place)
      }
      try await Task.sleep(for: .milliseconds(300))
      await bot.server.inject(.dropConnections)
      let found = objects(in: await lines.value).filter { $0["type"] as? String == "action" }
      #expect(found.allSatisfy { $0["guild_id"] as? String == guild }, "\(guild)")
      let live = found.filter { $0["content"] as? String == "proof_of_tail" }
      #expect(live.count == 1, "\(guild) \(found.count)")
      let past = found.filter { $0["content"] as? String != "proof_of_tail" }
      #expect(past.count == min(12, own.count), "\(guild)")
      let kinds = own.sorted { $0.ms < $1.ms }.suffix(12).map(\.kind)
      #expect(past.compactMap { $0["kind"] as? String }.sorted() == kinds.sorted(), "\(guild)")
      // The connection of the screen was cut too.
      for _ in 0..<500 where await bot.server.streamCount().activity == 0 {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    await bot.server.stop()
  }

  /// The JSON objects that a verb prints; none where it finds nothing.
  private func objects(
    _ words: [String], _ guild: String, _ bot: Bot
  ) async throws -> [[String: Any]] {
    objects(in: await output(words, guild, bot))
  }

  private func objects(in text: String) -> [[String: Any]] {
    text.split(separator: "\n").filter { $0.hasPrefix("{") }.compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }

  /// What a verb prints.
  private func output(_ words: [String], _ guild: String, _ bot: Bot) async -> String {
    let invocation = VerbInvocation(OpenedSource(bot.backend))
    let runner = VerbRunner(loop: DispatchLoop(), patienceMs: 60_000) {
      await CockpitProgram.run(in: $0)
    }
    return await withCheckedContinuation { continuation in
      runner.run(
        invocation.arguments(words + ["--guild", guild], ClankyCockpit.verbTable), of: invocation,
        on: .linear
      ) { output, _ in continuation.resume(returning: String(decoding: output, as: UTF8.self)) }
    }
  }

  /// The times of a phase, in ms, shortest first: what the rows of replies say, and 0 for a null.
  private static func times(_ member: String, _ rows: [Raw]) -> [Int] {
    rows.filter { ["sent_reply", "sent_message", "reply_skipped"].contains($0.kind) }
      .compactMap { $0.metadata["performance"] as? [String: Any] }
      .compactMap { performance in
        guard let value = performance[member] else { return nil }
        return value is NSNull ? 0 : (value as? NSNumber)?.intValue
      }.filter { $0 >= 0 }.sorted()
  }

  /// By nearest rank.
  private static func rank(_ times: [Int], _ share: Double) -> Int? {
    guard !times.isEmpty else { return nil }
    let place = Int((share * Double(times.count)).rounded(.up))
    return times[min(times.count, max(1, place)) - 1]
  }

  /// A failure by its kind, by the event of a container kind, or by what the details say (contract 4.1, 4.4, 9.3).
  private static func isFailure(_ row: Raw) -> Bool {
    let ends = ["_error", "_failed", "_failure"]
    let event = row.content.flatMap { text -> String? in
      let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./".contains($0)) }
      return !name.isEmpty
        && (name.count == text.count || text.dropFirst(name.count).hasPrefix(":"))
        ? String(name) : nil
    }
    let hasEvent = ["_runtime", "voice_error", "bot_lifecycle", "bot_error", "dashboard"]
      .contains { row.kind.hasSuffix($0) }
    if row.kind.hasSuffix("_error") {
      let mild = [
        "_retry", "_retrying", "_reconnect", "_skipped", "_ignored", "_deferred", "_cancelled",
      ]
      return !(hasEvent && (event.map { name in mild.contains { name.hasSuffix($0) } } ?? false))
    }
    if ends.contains(where: row.kind.hasSuffix) { return true }
    if hasEvent, let event, ends.contains(where: event.hasSuffix) { return true }
    let isTool =
      ["automation_run", "browser_tool_result", "code_agent_call", "llm_tool_call"].contains(
        row.kind)
      || ["search", "browser", "image", "gif", "video"].contains { row.kind.hasPrefix($0 + "_") }
      || event == "voice_brain_tool_call" || event?.hasPrefix("realtime_tool_call_") == true
    guard isTool else { return false }
    let metadata = row.metadata
    if let isError = metadata["isError"] as? Bool {
      if isError { return true }
    } else if ["error", "errorMessage"].contains(where: {
      (metadata[$0] as? String)?.isEmpty == false
    }) {
      return true
    }
    return ["runStatus", "status"].contains {
      ["error", "failed"].contains(metadata[$0] as? String)
    }
  }
}
