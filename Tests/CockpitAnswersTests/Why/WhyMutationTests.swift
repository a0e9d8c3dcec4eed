import CockpitAnswers
import Foundation
import Testing

@testable import CockpitDemo

/// Logs from which a row was taken, in which one stands twice, or in which two have changed places.
@MainActor @Suite struct WhyMutationTests {
  private enum Mutation: CaseIterable { case delete, double, swap }

  /// A log and a row of it to ask about.
  private struct Sample {
    var name: String
    var rows: [LoggedRow]
    var asks: Int
    var nowMs: Int64
  }

  /// Which rows can carry an outcome, by the event that they name: written down from the contract, not
  /// taken from the rules.
  private static let carriers: [String: Set<String>] = [
    "replied": ["sent_reply"],
    "posted": ["sent_message", "automation_post", "initiative_post", "automation_run"],
    "reacted": ["reacted"],
    "skipped": ["reply_skipped", "realtime_reply_skipped", "llm_call", "automation_run"],
    "not_admitted": [
      "reply_admission_decision", "voice_turn_addressing", "voice_reply_classifier_debug",
      "voice_barge_in_gate", "voice_runtime_event_decision",
    ],
    "gate_closed": ["reply_pipeline_gate"], "queue_rejected": ["reply_queue_gate_rejected"],
    "spoken": [
      "bot_audio_started", "voice_turn_out", "voice_latency_stage", "bot_utterance_completed",
      "openai_realtime_transcript", "openai_realtime_response_done",
    ],
    "interrupted": [
      "voice_barge_in_interrupt", "voice_barge_in_suppression_cleared", "bot_utterance_completed",
      "llm_run_aborted",
    ],
    "superseded": [
      "realtime_reply_superseded_newer_input", "realtime_turn_superseded",
      "file_asr_turn_superseded",
    ],
    "answered": ["approval_answered", "question_answered", "pairing_answered"],
    "expired": ["approval_timeout", "question_timeout"],
    "dropped": ["initiative_skip", "voice_thought_decision", "automation_run"],
    "failed": ["automation_error", "automation_run"],
  ]

  /// What follows from a row and from others that are missing.
  private static let inferred: Set<String> = ["not_sent", "model_failed", "unheard"]

  private static func event(_ row: LoggedRow) -> String {
    let containers: Set<String> = ["text_runtime", "voice_runtime", "voice_error"]
    switch row.kind {
    case "voice_turn_out": return "bot_audio_started"
    case let kind where containers.contains(kind): return row.content
    default: return row.kind
    }
  }

  private static func mutate(
    _ rows: [LoggedRow], _ mutation: Mutation, at candidates: [Int], random: inout DemoRandom
  ) -> [LoggedRow] {
    var rows = rows
    let places = rows.indices.filter { candidates.contains(rows[$0].id) }
    guard let first = places.randomElement(using: &random) else { return rows }
    switch mutation {
    case .delete: rows.remove(at: first)
    case .double:
      var copy = rows[first]
      copy.id = (rows.map(\.id).max() ?? 0) + 1
      rows.append(copy)
    case .swap:
      guard let second = places.filter({ $0 != first }).randomElement(using: &random) else {
        return rows
      }
      let (id, time) = (rows[first].id, rows[first].time)
      (rows[first].id, rows[first].time) = (rows[second].id, rows[second].time)
      (rows[second].id, rows[second].time) = (id, time)
    }
    return rows.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }

  /// Whether the rows say what the answer says.
  private static func isSupported(_ why: Why, by rows: [LoggedRow]) -> Bool {
    let byID = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let cited = why.answer.evidence.compactMap { $0.actionID.flatMap { byID[$0] } }
    guard cited.count == why.answer.evidence.count, !cited.isEmpty else { return false }
    let outcome = why.outcome.rawValue
    if let events = carriers[outcome], cited.contains(where: { events.contains(event($0)) }) {
      return true
    }
    guard inferred.contains(outcome) else { return false }
    if why.answer.state == .observed {
      // A failure with a row of its own.
      return cited.contains { row in
        let event = event(row)
        return row.kind == "voice_error" || event.hasPrefix("response_silent")
          || event.contains("watchdog") || event.hasPrefix("voice_turn_")
          || event.contains("transcription_empty") || row.kind == "llm_error"
          || event == "bot_utterance_completed" || event.contains("response_done")
      }
    }
    // That something is missing is known only where no id is.
    let ids = rows.map(\.id).sorted()
    guard let from = cited.map(\.id).min(), let last = ids.last else { return false }
    let after = ids.filter { $0 >= from }
    return after.count >= last - from + 1
  }

  private func check(
    _ sample: Sample, seed: UInt64, _ counts: inout [Answer.State: Int]
  ) {
    var random = DemoRandom(seed: seed)
    guard let before = WhyLog(sample.rows.map(\.text)).why(sample.asks, nowMs: sample.nowMs) else {
      Issue.record("nothing on record in \(sample.name)")
      return
    }
    let cited = before.answer.evidence.compactMap(\.actionID)
    for mutation in Mutation.allCases {
      let rows = Self.mutate(sample.rows, mutation, at: cited, random: &random)
      let asks =
        rows.contains { $0.id == sample.asks }
        ? sample.asks
        : cited.first { id in
          rows.contains { $0.id == id }
        }
      guard let asks, let after = WhyLog(rows.map(\.text)).why(asks, nowMs: sample.nowMs) else {
        continue  // Nothing on record any more.
      }
      counts[after.answer.state, default: 0] += 1
      guard after.answer.state == .observed || after.answer.state == .inferred else { continue }
      #expect(
        Self.isSupported(after, by: rows),
        """
        \(sample.name), seed \(seed), \(mutation): \(after.rule) (\(after.answer.state)): \
        \(after.answer.sentence) \(after.answer.evidence.map { "\($0.actionID ?? 0) \($0.kind)" })
        """)
      if mutation == .double {
        #expect(
          after.answer.sentence == before.answer.sentence, "\(sample.name): a doubled row")
        #expect(after.exchange.costUSD == before.exchange.costUSD)
      }
    }
  }

  @Test("300 seeds: a deleted, doubled or swapped row of a rule's log makes no false certainty")
  func fixtures() throws {
    var counts: [Answer.State: Int] = [:]
    let rules = WhyRule.all
    for seed in 0..<300 as Range<UInt64> {
      let rule = rules[Int(seed) % rules.count]
      let fixture = rule.fixture
      let sample = Sample(
        name: rule.name, rows: try fixture.rows.map(LoggedRow.init), asks: fixture.asks,
        nowMs: fixture.isOpen ? WhyFixture.startMs + 5000 : WhyFixture.startMs + 601_000)
      check(sample, seed: seed, &counts)
    }
    #expect(counts[.unknown] ?? 0 > 50, "\(counts)")
    #expect(counts[.observed] ?? 0 > 100, "\(counts)")
  }

  /// `CLANKY_LONG_TESTS=1` takes 120 seeds.
  @Test("60 seeds: the same of exchanges of a demo night")
  func night() throws {
    let night = try Night(seed: 7)
    let all = try night.rows.map(LoggedRow.init)
    var counts: [Answer.State: Int] = [:]
    let exchanges = night.truth.filter { !($0["rows"] as? [Any] ?? []).isEmpty }
    let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
    for seed in 0..<(isLong ? 120 : 60) as Range<UInt64> {
      let exchange = exchanges[Int(seed * 7) % exchanges.count]
      let evidence = exchange["rows"] as? [[String: Any]] ?? []
      let ids = evidence.compactMap { ($0["id"] as? NSNumber)?.intValue }
      guard let first = ids.min(), let last = ids.max() else { continue }
      // Some minutes of the night, so that a log is made quickly.
      let rows = all.filter { $0.id >= first - 3 && $0.id <= last + 25 }
      let medium = exchange["medium"] as? String
      let asks = medium == "automation" || medium == "initiative" ? last : first
      let sample = Sample(
        name: "\(exchange["medium"] ?? "").\(exchange["outcome"] ?? "")", rows: rows,
        asks: asks, nowMs: night.nowMs)
      check(sample, seed: seed, &counts)
    }
    #expect(counts[.unknown] ?? 0 > (isLong ? 20 : 10), "\(counts)")
    #expect(counts[.observed] ?? 0 > (isLong ? 100 : 50), "\(counts)")
  }
}
