internal import ClankyWire
package import LenientJSON
internal import CockpitText
internal import TerminalCore

/// An alarm as it is told to programs: one JSON object, and the same in environment variables.
package struct AlarmMessage: Hashable, Sendable {
  /// ASCII, one line.
  package let line: [UInt8]
  package let id: String
  /// For a person: the name of the bot, and one sentence; sanitised.
  package let title: String
  package let text: String
  /// The variables of a command: names beginning with `CLANKY_ALARM_`. Values are one line each.
  package let variables: [String: String]

  /// The event as a message; `bot` is the address of the bot.
  package init(_ event: AlarmLatch.Event, bot: String, nowMs: Int64) {
    switch event {
    case .began(let alarm, let id, let heldBack):
      let trouble = alarm.trouble
      self.init(
        state: "began", id: id, rule: trouble.rule, subject: trouble.id.subject,
        source: alarm.source, level: trouble.level, sentence: trouble.answer.sentence,
        sinceMs: trouble.sinceMs, untilMs: nil, count: trouble.count,
        evidence: trouble.answer.evidence, next: trouble.answer.next?.sentence,
        heldBack: heldBack, bot: bot, nowMs: nowMs)
    case .over(let entry, let atMs):
      self.init(
        state: "over", id: entry.id, rule: entry.rule, subject: nil,
        source: .of(rule: entry.rule), level: .info, sentence: entry.recovery,
        sinceMs: entry.sinceMs, untilMs: atMs, count: 1, evidence: [], next: nil, heldBack: 0,
        bot: bot, nowMs: nowMs)
    case .limited(let count):
      self.init(
        state: "limited", id: "limited@\(nowMs)", rule: "limit", subject: nil, source: .watch,
        level: .info,
        sentence: "\(count) \(count == 1 ? "alarm is" : "alarms are") held back by the limits; "
          + "what is still wrong is said later.",
        sinceMs: nowMs, untilMs: nil, count: count, evidence: [], next: nil, heldBack: count,
        bot: bot, nowMs: nowMs)
    }
  }

  private init(
    state: String, id: String, rule: String, subject: String?, source: AlarmSource,
    level: TriageLevel, sentence: String, sinceMs: Int64, untilMs: Int64?, count: Int,
    evidence: [Answer.Evidence], next: String?, heldBack: Int, bot: String, nowMs: Int64
  ) {
    // Words of strangers may stand in a sentence: cleaned before anything else gets them.
    let words = PlainText(sentence, limit: 400).description
    func time(_ ms: Int64?) -> String? { ms.map { WireTime(milliseconds: $0).iso } }
    let rows: [JSONValue] = evidence.prefix(10).map { evidence in
      .body([
        ("id", evidence.actionID.map { .integer($0) } ?? .null),
        ("at", time(evidence.timeMs).map { .string($0) } ?? .null),
        (
          "kind",
          evidence.kind.isEmpty
            ? .null : .string(PlainText(evidence.kind, limit: 80).description)
        ),
        ("claim", .string(PlainText(evidence.claim, limit: 120).description)),
      ])
    }
    let what: [(String, JSONValue?)] = [
      ("type", .string("alarm")), ("state", .string(state)), ("id", .string(id)),
      ("rule", .string(rule)), ("subject", subject.map { .string($0) } ?? .null),
      ("source", .string(source.rawValue)), ("level", .string(level.rawValue)),
      ("sentence", .string(words)), ("next", next.map { .string($0) } ?? .null),
    ]
    let when: [(String, JSONValue?)] = [
      ("since", .string(time(sinceMs) ?? "")),
      ("until", time(untilMs).map { .string($0) } ?? .null),
      ("at", .string(time(nowMs) ?? "")), ("count", .integer(count)),
      ("evidence", .array(rows)), ("held_back", .integer(heldBack)), ("bot", .string(bot)),
    ]
    self.init(json: .body(what + when))
  }

  /// - Parameter json: a message as `line` has it; other members are kept.
  package init(json: JSONValue) {
    var bytes: [UInt8] = []
    json.write(to: &bytes, ascii: true)
    line = bytes
    func text(_ key: String, limit: Int = 400) -> String {
      PlainText(json[key]?.string ?? "", limit: limit).description
    }
    id = text("id")
    let state = text("state")
    title =
      "clanky \(text("level")): \(text("rule", limit: 80))" + (state == "over" ? " over" : "")
    self.text = text("sentence")
    let ids = (json["evidence"]?.array ?? []).compactMap { $0["id"]?.int }.map(String.init)
    variables = [
      "CLANKY_ALARM_STATE": state, "CLANKY_ALARM_ID": id, "CLANKY_ALARM_RULE": text("rule"),
      "CLANKY_ALARM_SUBJECT": text("subject"), "CLANKY_ALARM_SOURCE": text("source"),
      "CLANKY_ALARM_LEVEL": text("level"), "CLANKY_ALARM_SENTENCE": text("sentence"),
      "CLANKY_ALARM_NEXT": text("next"), "CLANKY_ALARM_SINCE": text("since"),
      "CLANKY_ALARM_UNTIL": text("until"), "CLANKY_ALARM_ROWS": ids.joined(separator: ","),
      "CLANKY_ALARM_BOT": text("bot"),
    ]
  }

  /// The same, marked as one that may have arrived before.
  package var repeated: AlarmMessage {
    guard let json = try? JSONValue.parse(line), let members = json.object?.members,
      json["redelivery"] == nil
    else { return self }
    return AlarmMessage(
      json: .body(members.map { ($0.key, .some($0.value)) } + [("redelivery", .bool(true))]))
  }
}
