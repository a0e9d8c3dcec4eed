import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import Foundation
import Testing

@testable import CockpitDemo

/// The digest of a demo night, compared with what really happened.
@MainActor @Suite struct DigestNightTests {
  /// `CLANKY_LONG_TESTS=1` compares 20 nights.
  nonisolated private static let seeds: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil ? 6 : 20)

  @Test("a night of each seed is what the truth file says", arguments: seeds)
  func truth(seed: UInt64) throws {
    let night = try DigestNight(seed: seed)
    let digest = night.digest
    // A message without a row has nothing on record; a run that did not happen has its due time.
    let counts = night.truth("counts", as: [String: Int].self)
      .filter { !$0.key.hasSuffix(".no_row") && !$0.key.hasSuffix(".missed") }
    var own: [String: Int] = [:]
    for tally in digest.tallies {
      own["\(tally.medium.rawValue).\(tally.outcome.rawValue)", default: 0] += tally.count
    }
    #expect(own == counts, "seed \(seed)")
    #expect(digest.answer.coverage.isComplete && digest.missing.isEmpty)
    #expect(digest.answer.state == .observed)
    #expect(digest.answer.coverage.fromMs == night.fromMs)
    #expect(digest.answer.coverage.toMs == night.nowMs)
    compareReasons(digest, night)
    compareTroubles(digest, night)
    compareSessions(digest, night)
    compareRest(digest, night)
    // Every line that counts exchanges cites a row for each of them.
    for topic in [Digest.Topic.answers, .silences, .failures] {
      let line = try #require(digest[topic])
      #expect(line.evidence.count == line.count, "seed \(seed) \(topic)")
      #expect(line.evidence.allSatisfy { $0.actionID.map(night.ids.contains) ?? false })
      let details = digest.details(of: topic).compactMap(\.count)
      #expect(details.reduce(0, +) == line.count)
    }
  }

  /// Silences of text by the wire's codes.
  private func compareReasons(_ digest: Digest, _ night: DigestNight) {
    for medium in ["text", "voice"] {
      var wanted: [String: Int] = [:]
      for truth in night.exchanges where truth["medium"] as? String == medium {
        guard let reason = truth["reason"] as? String, let outcome = truth["outcome"] as? String,
          ["skipped", "not_admitted", "gate_closed", "queue_rejected"].contains(outcome)
        else { continue }
        wanted[reason, default: 0] += 1
      }
      var own: [String: Int] = [:]
      for tally in digest.tallies where tally.medium.rawValue == medium {
        guard let reason = tally.reason, wanted[reason] != nil else { continue }
        own[reason, default: 0] += tally.count
      }
      #expect(own == wanted, "\(medium)")
    }
  }

  /// Failures by the rule that reads them, and when troubles began.
  private func compareTroubles(_ digest: Digest, _ night: DigestNight) {
    var counts: [String: Int] = [:]
    var onsets: [String: [Int64]] = [:]
    for truth in night.list("troubles") {
      guard let kind = truth["kind"] as? String, var count = truth["count"] as? Int else {
        continue
      }
      // Nothing in a row says that a run was missed.
      guard kind != "automation_missed" else { continue }
      // One loss has several rows.
      if kind == "gateway" || kind == "tunnel" {
        let rows = truth["rows"] as? [[String: Any]] ?? []
        count = rows.count { $0["what"] as? String != "end" }
      }
      let rule = kind == "gateway" ? "discord" : kind == "model_error" ? "models" : kind
      counts[rule, default: 0] += count
      if truth["confirmed"] is String, let onset = night.ms(truth["onset"]) {
        onsets[rule, default: []].append(onset)
      }
    }
    let groups = Dictionary(
      uniqueKeysWithValues: night.failures.filter { $0.rule != nil }.map { ($0.rule ?? "", $0) })
    for (rule, count) in counts {
      #expect(groups[rule]?.rows.count == count, "\(rule)")
      let found = groups[rule]?.troubles.map(\.sinceMs) ?? []
      #expect(found.count == onsets[rule]?.count ?? 0, "\(rule)")
      for (own, truth) in zip(found, onsets[rule] ?? []) {
        #expect(abs(own - truth) < 10_000, "\(rule)")
      }
      let line = digest.details(of: .errors).first {
        $0.name == rule.replacing("_", with: " ")
      }
      #expect(line?.count == count && line?.evidence.count == count, "\(rule)")
    }
    // Nothing that the truth does not know is called a trouble.
    #expect(Set(groups.filter { !$0.value.troubles.isEmpty }.keys) == Set(onsets.keys))
  }

  private func compareSessions(_ digest: Digest, _ night: DigestNight) {
    let sessions = night.list("sessions")
    #expect(digest[.sessions]?.count == sessions.count)
    let details = digest.details(of: .sessions)
    for (truth, line) in zip(sessions, details) {
      guard let from = night.ms(truth["at"]), let to = night.ms(truth["ended"]) else { continue }
      let length = "\(Figures.duration(ms: Double(to - from)))"
      #expect(line.text.contains(length), "\(line.text) \(length)")
      #expect(line.text.contains(truth["reason"] as? String ?? "?"))
      let rows = (truth["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
      #expect(line.evidence.compactMap(\.actionID).allSatisfy(rows.contains))
      #expect(line.evidence.count == 2)
    }
  }

  private func compareRest(_ digest: Digest, _ night: DigestNight) {
    let cost = night.truth("cost_usd", as: Double.self)
    #expect(digest[.cost]?.text.hasPrefix("\(Figures.cost(cost)), no earlier days here") == true)
    let runs = night.exchanges.filter { $0["medium"] as? String == "automation" }
    let failed = runs.count { $0["outcome"] as? String == "failed" }
    let missed = runs.count { $0["outcome"] as? String == "missed" }
    let ran = runs.count - failed - missed
    #expect(digest[.automations]?.text == "\(ran) ran, \(failed) failed, \(missed) missed")
    let learned = night.list("facts_learned").count
    let lost = night.list("forgotten").reduce(0) { $0 + (($1["facts"] as? [Int])?.count ?? 0) }
    #expect(
      digest[.facts]?.text.hasPrefix("\(learned) learned, \(lost) lost between the lists") == true,
      "\(digest[.facts]?.text ?? "")")
    #expect(digest[.facts]?.evidence.count == learned)
  }

  @Test("what is not here is not counted: without lists, automations and earlier days it says so")
  func unknown() throws {
    let night = try DigestNight(seed: 2)
    var input = night.input
    input.automations = nil
    input.facts = nil
    let gap = MissingStretch(
      fromMs: night.fromMs, toMs: night.fromMs + 4_200_000, reason: "recorder stopped")
    input.missing = [gap]
    let digest = DigestNight.digest(input)
    #expect(digest[.automations]?.text.contains("whether any was missed is not known") == true)
    #expect(digest[.automations]?.state == .unknown)
    #expect(digest[.facts]?.text.contains("what was lost is not known") == true)
    #expect(digest.answer.sentence.contains("Rows are missing"))
    #expect(!digest.answer.coverage.isComplete)
    let text = DigestText(digest, clock: input.clock).lines(width: 80).map { "\($0)" }
    #expect(
      text.contains { $0.contains("to 07:10:00 is not recorded: recorder stopped.") }, "\(text)")
    #expect(text.allSatisfy { $0.count <= 80 })
  }

  @Test("an empty time is not a night in which nothing happened")
  func empty() throws {
    let night = try DigestNight(seed: 2)
    var input = DigestInput(
      ExchangeRows(ActionLog(), voice: VoiceStore(), nowMs: night.nowMs).indexed(),
      fromMs: night.fromMs, clock: ClockFormat(zone: .gmt))
    #expect(DigestNight.digest(input).answer.sentence.contains("nothing happened"))
    input.missing = [
      MissingStretch(fromMs: night.fromMs, toMs: night.nowMs, reason: "nothing recorded")
    ]
    let digest = DigestNight.digest(input)
    #expect(digest.answer.state == .unknown)
    #expect(digest.answer.sentence.hasPrefix("Unknown: "))
  }

  @Test("cost stands beside the same hours of earlier days; of few it is not called usual")
  func usual() throws {
    var input = try DigestNight(seed: 2).input
    input.earlierCosts = [.init(days: 1, usd: 1), .init(days: 2, usd: 2)]
    #expect(DigestNight.digest(input)[.cost]?.text.contains("too few to call it usual") == true)
    input.earlierCosts.append(.init(days: 3, usd: 1.5))
    let digest = DigestNight.digest(input)
    #expect(digest[.cost]?.text.contains("usual $1.50 (same hours of 3 earlier days") == true)
    #expect(digest[.cost]?.text.hasSuffix("more than ever") == true)
    #expect(digest.answer.sentence.contains(", usual $1.50"))
  }

  @Test("JSON has the sentence, counts and ids of the answer; Markdown none of a stranger's markup")
  func outlets() throws {
    let night = try DigestNight(seed: 2)
    let digest = night.digest
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(DigestJSON(digest).line)) as? [String: Any])
    #expect(json["sentence"] as? String == digest.answer.sentence)
    let counts = try #require(json["counts"] as? [[String: Any]])
    #expect(counts.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == night.exchanges.count - 3)
    let lines = try #require(json["lines"] as? [[String: Any]])
    #expect(lines.count == digest.lines.count)
    let markdown = DigestText(digest, clock: night.input.clock).markdown
    #expect(markdown[0] == "**\(digest.answer.sentence)**")
    #expect(markdown.contains { $0.contains("llm\\_skip") })
  }
}

/// A night of the demo with what a digest of it is made from, and its truth.
@MainActor struct DigestNight {
  let night: Night
  private let log: WhyLog
  let fromMs: Int64
  let ids: Set<Int>
  var nowMs: Int64 { night.nowMs }
  var exchanges: [[String: Any]] { night.truth }

  init(seed: UInt64) throws {
    night = try Night(seed: seed)
    log = WhyLog(night.rows)
    ids = Set(log.store.log.rows(in: 0..<log.store.log.count).compactMap(\.actionID))
    fromMs = WireTime(iso: night.file["from"] as? String ?? "")?.milliseconds ?? 0
  }

  func list(_ name: String) -> [[String: Any]] { night.file[name] as? [[String: Any]] ?? [] }

  func truth<Value>(_ name: String, as type: Value.Type) -> Value
  where Value: ExpressibleByNothing {
    night.file[name] as? Value ?? Value.nothing
  }

  func ms(_ value: Any?) -> Int64? {
    (value as? String).flatMap { WireTime(iso: $0)?.milliseconds }
  }

  var input: DigestInput {
    let rows = log.rows(nowMs: nowMs, facts: night.facts, hasNewest: true).indexed()
    var input = DigestInput(rows, fromMs: fromMs, clock: ClockFormat(zone: .gmt))
    input.automations = .init(night.automations, atMs: nowMs)
    // Lists of before and after the deletion.
    let lost = night.forgotten.sorted().map { Fact(id: $0, guildID: nil, fact: "gone") }
    input.facts = .init(beforeMs: fromMs, afterMs: nowMs, lost: lost)
    return input
  }

  /// The failures by the rules that read them.
  var failures: [TriageBoard.Failures] {
    TriageBoard().failures(
      in: log.store.log, fromMs: fromMs, toMs: nowMs, TriageInput(nowMs: nowMs))
  }

  var digest: Digest { Self.digest(input) }

  static func digest(_ input: DigestInput) -> Digest {
    var builder = DigestBuilder(input)
    while builder.read(exchanges: 50) {}
    return builder.digest
  }
}

protocol ExpressibleByNothing { static var nothing: Self { get } }
extension Double: ExpressibleByNothing { static var nothing: Double { .nan } }
extension [String: Int]: ExpressibleByNothing { static var nothing: [String: Int] { [:] } }
