internal import LenientJSON

/// What the rules say of one UTC day: the incidents that begin in it.
///
/// Every day is judged from the same time before its beginning until its incidents are over, so that a longer and a
/// shorter stretch of the same recording have the same incidents.
package struct DayVerdict: Sendable {
  /// Days since 1970.
  package var day: Int64
  /// Newest first.
  package var incidents: [Incident] = []
  /// Up to when was read, ms since 1970.
  package var judgedToMs: Int64
  /// Rows and documents of the day that some rule looked at.
  package var events = 0
  /// Events that came too late to be judged.
  package var tooLate = 0
  package var judgements: [RuleID: Judgement] = [:]

  package init(day: Int64, judgedToMs: Int64) {
    self.day = day
    self.judgedToMs = judgedToMs
  }
}

extension DayVerdict {
  /// As a JSON object, to be kept.
  package var json: String {
    let states = judgements.map { rule, judgement -> (key: String, value: JSONValue?) in
      switch judgement {
      case .judged: (rule.rawValue, .string(""))
      case .idle: (rule.rawValue, .null)
      case .unknown(let why): (rule.rawValue, .string(why))
      }
    }.sorted { $0.key < $1.key }
    return JSONValue.body([
      ("events", .integer(events)), ("late", .integer(tooLate)), ("rules", .body(states)),
      ("incidents", .array(incidents.map(\.kept))),
    ]).serialized()
  }

  /// From what was kept; nil if it cannot be read, and the day is to be judged again.
  package init?(day: Int64, judgedToMs: Int64, json: String) {
    guard let value = try? JSONValue.parse(Array(json.utf8)), let rules = value["rules"]?.object,
      let list = value["incidents"]?.array
    else { return nil }
    self.init(day: day, judgedToMs: judgedToMs)
    events = value["events"]?.int ?? 0
    tooLate = value["late"]?.int ?? 0
    for member in rules.members {
      guard let rule = RuleID(rawValue: member.key) else { return nil }
      let why = member.value.string
      judgements[rule] = why.map { $0.isEmpty ? .judged : .unknown($0) } ?? .idle
    }
    for entry in list {
      guard let incident = Incident(kept: entry) else { return nil }
      incidents.append(incident)
    }
  }
}

extension Incident {
  fileprivate var kept: JSONValue {
    .body([
      ("id", .string(id)), ("rule", .string(rule.rawValue)), ("level", .string(level.rawValue)),
      ("session", sessionID.map { .string($0) }), ("guild", guildID.map { .string($0) }),
      ("channel", channelID.map { .string($0) }), ("user", userID.map { .string($0) }),
      ("from", .integer(fromMs)), ("to", .integer(toMs)), ("sentence", .string(sentence)),
      ("evidence", .array(evidence.map(\.kept))), ("missing", missing.map { .string($0) }),
      ("cause", cause.map { .string($0) }), ("advice", .string(advice)),
      ("count", .integer(count)),
    ])
  }

  fileprivate init?(kept value: JSONValue) {
    guard let id = value["id"]?.string, let rule = value["rule"]?.string.flatMap(RuleID.init),
      let level = value["level"]?.string.flatMap(RuleLevel.init), let from = value["from"]?.int,
      let to = value["to"]?.int, let sentence = value["sentence"]?.string,
      let advice = value["advice"]?.string, let list = value["evidence"]?.array
    else { return nil }
    let evidence = list.compactMap { Citation(kept: $0) }
    guard evidence.count == list.count else { return nil }
    self.init(
      id: id, rule: rule, level: level, sessionID: value["session"]?.string,
      guildID: value["guild"]?.string, channelID: value["channel"]?.string,
      userID: value["user"]?.string, fromMs: Int64(from), toMs: Int64(to), sentence: sentence,
      evidence: evidence, missing: value["missing"]?.string, cause: value["cause"]?.string,
      advice: advice, count: value["count"]?.int ?? 1)
  }
}

extension Citation {
  fileprivate var kept: JSONValue {
    .body([
      ("at", .integer(timeMs)), ("name", .string(name)),
      ("print", .string(String(fingerprint, radix: 16))), ("id", actionID.map { .integer($0) }),
      ("words", .string(words)),
    ])
  }

  fileprivate init?(kept value: JSONValue) {
    guard let at = value["at"]?.int, let name = value["name"]?.string,
      let print = value["print"]?.string.flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    self.init(
      timeMs: Int64(at), name: name, fingerprint: print, actionID: value["id"]?.int,
      words: value["words"]?.string ?? "")
  }
}

extension RuleSettings {
  /// Names the rules and their settings: what was judged by others counts no more. When the bot spoke is not in it: it
  /// belongs to the day that is judged.
  package var basis: String {
    var print = Fingerprint()
    for rule in RuleTable.all {
      let entry = self[rule.id]
      print.add(rule.id.rawValue)
      print.add(entry.isOff ? "off" : entry.level?.rawValue)
      for limit in rule.limits {
        print.add(limit.name)
        let value = entry.values[limit.name] ?? limit.standard
        print.add(Int64(bitPattern: value.bitPattern))
      }
    }
    return "\(RuleTable.version)-\(String(print.value, radix: 16))"
  }
}
