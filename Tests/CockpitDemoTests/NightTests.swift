import Foundation
import Testing

@testable import CockpitDemo

/// The night: what it says of itself is what its rows say.
@Suite struct NightTests {
  private static func options(_ seed: UInt64, _ dialect: DemoDialect = .may) -> DemoOptions {
    DemoOptions(
      seed: seed, scenario: .night, token: "secret", dialect: dialect,
      faults: DemoFaults(httpControl: true))
  }

  /// A row as it is on the wire.
  struct Row {
    var object: [String: Any]

    func field(_ key: String) -> String { object[key] as? String ?? "" }
    func number(_ key: String) -> Double { object[key] as? Double ?? 0 }
    var metadata: [String: Any] { object["metadata"] as? [String: Any] ?? [:] }
    var isRefusal: Bool { metadata["allow"] as? Bool == false }
  }

  struct Night {
    var truth: DemoJSON
    var text: String
    /// The rows of the twelve hours, as bytes and read.
    var bytes: [UInt8]
    var rows: [Row]
    var byID: [Int: Row] = [:]

    func exchanges(_ medium: String, _ outcome: String) -> [DemoJSON] {
      (truth["exchanges"]?.arrayValue ?? []).filter {
        $0.field("medium") == medium && $0.field("outcome") == outcome
      }
    }

    func rows(_ kind: String, _ content: String? = nil) -> [Row] {
      rows.filter { $0.field("kind") == kind && (content == nil || $0.field("content") == content) }
    }

    func row(_ id: DemoJSON?) -> Row? { byID[Int(id?.doubleValue ?? 0)] }
  }

  static func night(_ seed: UInt64, _ dialect: DemoDialect = .may) throws -> Night {
    var options = options(seed, dialect)
    options.clock = ManualDemoClock()
    let world = World(options: options, token: "secret")
    Director.begin(world)
    let truth = world.truth.file(scenario: .night, seed: seed, dialect: dialect)
    let query = ActionQuery(limit: .max, since: world.startMs, oldestFirst: true)
    let bytes = DemoJSON.array(world.store.actions(query).map(\.json)).serialized()
    let list = try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]]
    var night = Night(
      truth: try DemoJSON.parse(truth), text: String(decoding: truth, as: UTF8.self), bytes: bytes,
      rows: try #require(list).map(Row.init))
    for row in night.rows { night.byID[Int(row.number("id"))] = row }
    return night
  }

  @Test("the same seed tells the same night, another seed another one")
  func sameSeed() throws {
    let first = try Self.night(3)
    let again = try Self.night(3)
    #expect(first.text == again.text)
    #expect(first.bytes == again.bytes)
    let other = try Self.night(4)
    #expect(first.text != other.text)
  }

  @Test(
    "every outcome is in the rows as often as the truth says", arguments: [1, 2, 3] as [UInt64])
  func counts(seed: UInt64) throws {
    let night = try Self.night(seed)
    func check(_ told: Int, _ rows: Int, _ what: String) {
      #expect(told == rows && told > 0, "\(what): told \(told), rows \(rows)")
    }
    check(night.exchanges("text", "replied").count, night.rows("sent_reply").count, "replies")
    check(night.exchanges("text", "posted").count, night.rows("sent_message").count, "messages")
    check(night.exchanges("text", "skipped").count, night.rows("reply_skipped").count, "skips")
    check(night.exchanges("text", "reacted").count, night.rows("reacted").count, "reactions")
    let admissions = night.rows("text_runtime", "reply_admission_decision")
    check(
      night.exchanges("text", "not_admitted").count,
      admissions.filter(\.isRefusal).count, "admissions")
    let gates = night.rows("text_runtime", "reply_pipeline_gate")
    check(
      night.exchanges("text", "gate_closed").count,
      gates.filter(\.isRefusal).count, "gates")
    check(
      night.exchanges("text", "queue_rejected").count,
      night.rows("text_runtime", "reply_queue_gate_rejected").count, "queue")
    check(
      night.exchanges("voice", "spoken").count + night.exchanges("thought", "spoken").count,
      night.rows("voice_turn_out").count, "spoken")
    check(
      night.exchanges("voice", "skipped").count,
      night.rows("voice_runtime", "realtime_reply_skipped").count, "voice skips")
    check(
      night.exchanges("voice", "not_sent").count,
      night.rows("voice_error", "response_silent_fallback").count, "mute")
    check(
      night.exchanges("voice", "model_failed").count,
      night.rows("voice_error", "voice_brain_generation_failed").count, "voice failures")
    check(
      night.exchanges("voice", "superseded").count,
      night.rows("voice_runtime", "realtime_reply_superseded_newer_input").count, "superseded")
    let decisions = night.rows("voice_runtime", "voice_turn_addressing")
    check(
      night.exchanges("voice", "not_admitted").count,
      decisions.filter(\.isRefusal).count, "denials")
    check(
      night.exchanges("automation", "posted").count, night.rows("automation_post").count, "posts")
    check(
      night.exchanges("automation", "failed").count, night.rows("automation_error").count,
      "failed automations")
    check(
      night.exchanges("initiative", "posted").count, night.rows("initiative_post").count,
      "initiative")
    check(
      night.exchanges("initiative", "dropped").count, night.rows("initiative_skip").count,
      "initiative skips")
    #expect(night.exchanges("automation", "missed").count == 1)
    #expect(night.exchanges("text", "no_row").count == 2)
    #expect(night.exchanges("text", "not_sent").count == 2)
    #expect(night.exchanges("text", "model_failed").count == 4)
    check(
      night.truth["facts_learned"]?.arrayValue?.count ?? 0, night.rows("memory_fact").count, "facts"
    )
  }

  @Test("each seed: rows parse in order, evidence exists, costs and times are the rows' own")
  func evidence() throws {
    let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
    for seed in 1...(isLong ? 20 : 6) as ClosedRange<UInt64> {
      let night = try Self.night(seed, seed % 5 == 0 ? .march : .may)
      let ids = night.rows.map { $0.number("id") }
      let times = night.rows.map { $0.field("created_at") }
      #expect(night.rows.count > 1500, "\(night.rows.count)")
      #expect(ids == ids.sorted() && times == times.sorted())
      for exchange in night.truth["exchanges"]?.arrayValue ?? [] {
        check(exchange, night)
      }
      let kinds = (night.truth["troubles"]?.arrayValue ?? []).map { $0.field("kind") }
      #expect(
        Set(kinds) == [
          "models", "model_error", "search", "embeddings", "browser", "mcp", "recognition",
          "speech", "gateway", "tunnel", "automation_failed", "automation_missed", "queue",
        ], "seed \(seed)")
      #expect(
        Set(kinds.filter { $0 != "model_error" }).count == kinds.count { $0 != "model_error" })
      for trouble in night.truth["troubles"]?.arrayValue ?? [] {
        let (onset, end) = (trouble.field("onset"), trouble.field("end"))
        let confirmed = trouble.field("confirmed")
        #expect(end.isEmpty || onset < end, "seed \(seed): \(trouble.text)")
        #expect(confirmed.isEmpty == (trouble.field("kind") == "model_error"), "\(trouble.text)")
        for row in trouble["rows"]?.arrayValue ?? [] {
          #expect(night.row(row["id"]) != nil)
        }
      }
    }
  }

  private func check(_ exchange: DemoJSON, _ night: Night) {
    let rows = (exchange["rows"]?.arrayValue ?? []).compactMap { night.row($0["id"]) }
    let outcome = exchange.field("outcome")
    #expect(rows.count == exchange["rows"]?.arrayValue?.count, "\(exchange.text)")
    #expect(rows.isEmpty == (outcome == "no_row" || outcome == "missed"), "\(exchange.text)")
    let cost = rows.reduce(0) { $0 + $1.number("usd_cost") }
    #expect(abs(cost - (exchange["cost_usd"]?.doubleValue ?? -1)) < 1e-9)
    let words = exchange.field("words")
    // What has no row is not found by its words.
    guard outcome != "no_row" else {
      let isFound = String(decoding: night.bytes, as: UTF8.self).holds(words)
      #expect(!isFound)
      return
    }
    guard exchange.field("medium") == "text", let last = rows.last,
      ["replied", "posted", "skipped"].contains(outcome),
      let performance = last.metadata["performance"] as? [String: Any]
    else { return }
    for step in ["queueMs", "memorySliceMs", "llm1Ms", "followupMs", "typingDelayMs", "sendMs"] {
      #expect(exchange["steps_ms"]?[step]?.doubleValue == performance[step] as? Double, "\(step)")
    }
    let trigger = last.metadata["triggerMessageId"] as? String
    #expect(trigger == exchange.field("trigger_message_id"))
    #expect(last.field("created_at") == exchange.field("ended"))
    let prompts = last.metadata["replyPrompts"] as? [String: Any]
    let prompt = prompts?["initialUserPrompt"] as? String
    let isWhole = prompt?.holds(words) ?? false
    #expect(isWhole)
  }

  @Test(
    "facts in the prompt are those of the memory then; a forgotten person's stand in none later")
  func memory() throws {
    let night = try Self.night(7)
    let learned = night.truth["facts_learned"]?.arrayValue ?? []
    let exchanges = night.truth["exchanges"]?.arrayValue ?? []
    func uses(_ exchange: DemoJSON, _ id: DemoJSON?) -> Bool {
      exchange["facts"]?.arrayValue?.contains { $0 == id } ?? false
    }
    #expect(learned.contains { fact in exchanges.contains { uses($0, fact["fact_id"]) } })
    let forgotten = try #require(night.truth["forgotten"]?.arrayValue?.first)
    let ids = forgotten["facts"]?.arrayValue ?? []
    #expect(!ids.isEmpty)
    for exchange in exchanges
    where exchange.field("medium") == "text" && exchange.field("at") > forgotten.field("at") {
      #expect(!ids.contains { uses(exchange, $0) })
    }
  }

  @Test("after the change of the prompt it skips more, after the change of the model it costs less")
  func changes() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let night = try Self.night(seed)
      let changes = night.truth["changes"]?.arrayValue ?? []
      #expect(changes.map { $0.field("kind") } == ["prompt", "model"])
      for change in changes {
        let first = try #require(night.row(change["rows"]?.arrayValue?.first?["id"]))
        #expect(first.field("kind") == "llm_call" && first.field("created_at") > change.field("at"))
      }
      let prompt = changes[0].field("at")
      let skips = night.exchanges("text", "skipped")
      let before = skips.count { $0.field("at") < prompt }
      #expect(Double(skips.count - before) / 7 > Double(before) / 5 * 1.5)
      let model = changes[1].field("at")
      let replies = night.exchanges("text", "replied")
      func median(_ list: [DemoJSON], _ value: (DemoJSON) -> Double?) -> Double {
        let sorted = list.compactMap(value).sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
      }
      let older = replies.filter { $0.field("at") < model }
      let newer = replies.filter { $0.field("at") > model }
      func time(_ exchange: DemoJSON) -> Double? { exchange["steps_ms"]?["llm1Ms"]?.doubleValue }
      func cost(_ exchange: DemoJSON) -> Double? { exchange["cost_usd"]?.doubleValue }
      #expect(median(newer, time) < median(older, time) * 0.7)
      #expect(median(newer, cost) < median(older, cost))
      let spike = try #require(night.truth["cost_spikes"]?.arrayValue?.first)
      #expect((spike["cost_usd"]?.doubleValue ?? 0) > median(older, cost) * 10)
    }
  }

  @Test("the state at the end has what still lasts, and the queue moves again after three minutes")
  func present() async throws {
    try await withServer(Self.options(2)) { server, client, clock in
      let runtime = try await client.get("/api/stats").json["runtime"]
      #expect(runtime?["replyQueue"]?["pending"]?.doubleValue == 5)
      #expect(runtime?["gateway"]?["reconnectInFlight"] == false)
      let counted = try await client.get("/api/stats").json["stats"]?["last24h"]
      let day = try await client.get("/__demo/rows?sinceMs=\(clock.nowMs - DemoTime.day)").json
      for kind in ["sent_reply", "llm_call", "voice_turn_out", "voice_error"] {
        let rows = day.arrayValue?.count { $0.field("kind") == kind }
        #expect(counted?[kind]?.doubleValue == rows.map(Double.init), "\(kind)")
      }
      let bakery = try await client.get("/api/automations?guildId=\(Cast.bakery.id)").json
      let due = try #require(bakery["rows"]?.arrayValue?.first)
      #expect(due.field("next_run_at") < DemoTime.iso(clock.nowMs))
      let revision = await server.truthRevision()
      await server.advance(clock, seconds: 190)
      let later = try await client.get("/api/stats").json["runtime"]
      #expect(later?["replyQueue"]?["pending"]?.doubleValue == 0)
      #expect(await server.truthRevision() == revision + 1)
      let truth = try DemoJSON.parse(await server.truth())
      let queue = truth["troubles"]?.arrayValue?.first { $0.field("kind") == "queue" }
      #expect(queue?["end"]?.stringValue != nil)
      // Nothing else happens.
      let new = try await client.get("/__demo/rows?sinceMs=\(clock.nowMs - 189_000)").json
      #expect(new.arrayValue?.isEmpty == true)
    }
  }
}

/// The failing bot tells of each trouble when it began.
@Suite struct FailingTruthTests {
  @Test(
    "each trouble is told in the moment it begins, with the row that shows it", arguments: 1...4)
  func onsets(seed: Int) throws {
    var options = DemoOptions(seed: UInt64(seed), scenario: .failing, token: "secret")
    let clock = ManualDemoClock()
    options.clock = clock
    let world = World(options: options, token: "secret")
    Director.begin(world)
    var wasLost = false
    for _ in 0..<180 {
      clock.advance(byMs: 1000)
      world.run(until: clock.nowMs)
      let isLost = world.gateway.reconnecting
      let open = Set(world.truth.troubles.filter { $0.endMs == nil }.map(\.kind))
      #expect(open.contains("gateway") == isLost)
      #expect(open.contains("tunnel"))
      if isLost, !wasLost {
        let onset = try #require(world.truth.troubles.last { $0.kind == "gateway" }).onsetMs
        #expect(onset > clock.nowMs - 1000)
      }
      wasLost = isLost
    }
    let kinds = Set(world.truth.troubles.map(\.kind))
    #expect(
      kinds == [
        "tunnel", "models", "search", "gateway", "embeddings", "browser", "mcp", "turns_waiting",
        "voice_provider",
      ])
    let errors = world.store.actions(ActionQuery(limit: .max, kinds: ["llm_error"]))
    let models = try #require(world.truth.troubles.first { $0.kind == "models" })
    #expect(models.count == errors.count && models.confirmedMs == errors.reversed()[2].createdMs)
    for trouble in world.truth.troubles {
      for row in trouble.rows {
        guard case .id(let id) = row.reference else { Issue.record("no id"); continue }
        #expect(world.store.actions(ActionQuery(limit: .max)).contains { $0.id == id })
      }
    }
  }
}
