import ClankyWire
import CockpitRules
import Foundation
import LenientJSON
import Testing

/// The recorded captures have exactly the findings that were written down before the rules.
@Suite struct CaptureTests {
  static func events(_ name: String) throws -> [RuleEvent]? {
    let path = "/work/shared/wire/captures/\(name)"
    guard let bytes = FileManager.default.contents(atPath: path) else {
      print("No captures at \(path): left out.")
      return nil
    }
    var router = RuleEngine().router
    var events: [RuleEvent] = []
    var kind = ""
    // Documents have no time of their own: they came after the newest row.
    var nowMs: Int64 = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: Array("event: ".utf8)) {
        kind = String(decoding: line.dropFirst(7), as: UTF8.self)
        continue
      }
      guard line.starts(with: Array("data: ".utf8)) else { continue }
      let data = Array(line.dropFirst(6))
      switch kind {
      case "action_event", "voice_event":
        let row = data.withUnsafeBytes { RuleRow($0, router: &router) }
        if let scan = try? data.withUnsafeBytes({ try ActionScanner.scan($0) }) {
          nowMs = max(nowMs, scan.timeMs)
        }
        if let row { events.append(RuleEvent(row)) }
      case "voice_state":
        if let state = VoiceState(try JSONValue.parse(data)) {
          events.append(RuleEvent(state, atMs: nowMs))
        }
      case "stats_update":
        let envelope = try data.withUnsafeBytes { try StatsEnvelope.withoutVoice($0) }
        if let envelope { events.append(RuleEvent(envelope, atMs: nowMs)) }
      default: break
      }
    }
    return events.filter { $0.timeMs > 0 }
  }

  @Test("captures A: rule 13 once, the tool server that fails, nothing else")
  func captures() throws {
    guard let activity = try Self.events("activity.sse"), let voice = try Self.events("voice.sse")
    else { return }
    var engine = RuleEngine()
    engine.take(activity + voice)
    if let last = (activity + voice).map(\.timeMs).max() { engine.advance(to: last) }
    let found = engine.incidents
    for incident in found {
      print("\(incident.level) \(incident.rule.rawValue) x\(incident.count): \(incident.sentence)")
    }
    // One message that addressed the bot was skipped by the model: the remark that rule 15 makes of it is
    // no anomaly.
    let remarks = found.filter { $0.rule == .replyMissing }
    #expect(remarks.map(\.level) == [.info])
    #expect(remarks.first?.evidence.last?.name == "reply_skipped")
    let anomalies = found.filter { $0.rule != .replyMissing }
    #expect(anomalies.map(\.rule.rawValue).sorted() == ["high_latency_turn", "mcp_down"])
    let slow = anomalies.first { $0.rule == .highLatency }
    #expect(slow?.sentence.contains("took 9.71s") ?? false)
    #expect(slow?.sentence.contains("fin>asr") ?? false)
  }
}
