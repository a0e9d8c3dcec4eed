import CockpitAnswers
import LenientJSON

extension AlarmFiles.Saved {
  /// What of a file can be read; a field that cannot costs itself.
  init(json: JSONValue) {
    let entries = (json["alarms"]?.array ?? []).compactMap(AlarmLatch.Entry.init(json:))
    let last = (json["last_of_rule"]?.object?.members ?? []).compactMap { member in
      member.value.int.map { (member.key, Int64($0)) }
    }
    latch = AlarmLatch(
      entries: entries,
      saidMs: (json["said_ms"]?.array ?? []).compactMap { $0.int.map(Int64.init) },
      lastOfRule: Dictionary(last) { first, _ in first },
      heldBack: Set((json["held_back"]?.array ?? []).compactMap(\.string)))
    outbox = (json["outbox"]?.array ?? []).prefix(500).compactMap { item in
      guard let message = item["message"], message.object != nil else { return nil }
      let channels = Set((item["to"]?.array ?? []).compactMap(\.string))
      return channels.isEmpty ? nil : AlarmDelivery(AlarmMessage(json: message), to: channels)
    }
    lookedMs = json["looked_ms"]?.int.map(Int64.init)
  }

  var json: JSONValue {
    .body([
      ("version", .integer(1)), ("looked_ms", lookedMs.map(JSONValue.ms) ?? .null),
      ("alarms", .array(latch.entries.values.sorted { $0.key < $1.key }.map(\.json))),
      ("said_ms", .array(latch.saidMs.map(JSONValue.ms))),
      (
        "last_of_rule",
        .body(latch.lastOfRule.sorted { $0.key < $1.key }.map { ($0.key, .some(.ms($0.value))) })
      ),
      ("held_back", .array(latch.heldBack.sorted().map(JSONValue.string))),
      (
        "outbox",
        .array(
          outbox.compactMap { delivery in
            guard let message = try? JSONValue.parse(delivery.message.line) else { return nil }
            return .body([
              ("to", .array(delivery.channels.sorted().map(JSONValue.string))),
              ("message", message),
            ])
          })
      ),
    ])
  }
}

extension AlarmLatch.Entry {
  fileprivate init?(json: JSONValue) {
    guard let key = json["key"]?.string, let rule = json["rule"]?.string,
      let id = json["id"]?.string, let sinceMs = json["since_ms"]?.int,
      let lastMs = json["last_ms"]?.int
    else { return nil }
    self.init(
      key: key, rule: rule, id: id,
      level: json["level"]?.string.flatMap(TriageLevel.init(rawValue:)) ?? .warning,
      sentence: json["sentence"]?.string ?? "", recovery: json["recovery"]?.string ?? "",
      sinceMs: Int64(sinceMs), firstMs: Int64(json["first_ms"]?.int ?? sinceMs),
      lastMs: Int64(lastMs), isSaid: json["said"]?.bool ?? false,
      isLive: json["live"]?.bool ?? false)
  }

  fileprivate var json: JSONValue {
    .body([
      ("key", .string(key)), ("rule", .string(rule)), ("id", .string(id)),
      ("level", .string(level.rawValue)), ("sentence", .string(sentence)),
      ("recovery", .string(recovery)), ("since_ms", .ms(sinceMs)), ("first_ms", .ms(firstMs)),
      ("last_ms", .ms(lastMs)), ("said", .bool(isSaid)), ("live", .bool(isLive)),
    ])
  }
}

extension AlarmSilences {
  init(json: JSONValue) {
    self.init()
    muted = Set((json["muted"]?.array ?? []).compactMap(\.string))
    for member in json["snoozed_until_ms"]?.object?.members ?? [] {
      snoozedUntilMs[member.key] = member.value.int.map(Int64.init)
    }
    for member in json["acknowledged"]?.object?.members ?? [] {
      acknowledged[member.key] = member.value.int.map(Int64.init)
    }
  }

  var json: JSONValue {
    func times(_ values: [String: Int64]) -> JSONValue {
      .body(values.sorted { $0.key < $1.key }.map { ($0.key, .some(.ms($0.value))) })
    }
    return .body([
      ("version", .integer(1)), ("muted", .array(muted.sorted().map(JSONValue.string))),
      ("snoozed_until_ms", times(snoozedUntilMs)), ("acknowledged", times(acknowledged)),
    ])
  }
}

extension JSONValue {
  fileprivate static func ms(_ ms: Int64) -> JSONValue { .integer(Int(clamping: ms)) }
}
