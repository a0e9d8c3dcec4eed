/// The incidents that the rules have found so far.
package struct Findings: Sendable {
  private(set) var incidents: [Incident.ID: Incident] = [:]
  /// The newest incident of each rule, session and person.
  private var latest: [Key: Incident.ID] = [:]
  /// The incident of each fault, by the id of the fault.
  private var faults: [String: Incident.ID] = [:]
  /// The level that the configuration gives to the rule that is running, and what to try.
  var levelOfRule: RuleLevel?
  var rule: RuleID = .emptyASR
  var advice = ""

  private struct Key: Hashable {
    var rule: RuleID
    var session: String?
    var subject: String?
  }

  /// What a rule says of a finding.
  package struct Report {
    var level: RuleLevel
    var sentence: String
    /// The rows it rests on; the first is the anchor.
    var evidence: [Citation]
    /// The row whose session, guild, channel and person it is about; nil for the bot itself.
    var about: RuleRow?
    var sessionID: String?
    var userID: String?
    /// What repeats are the same incident beside rule and session: the person, if nothing is said.
    var subject: String?
    var toMs: Int64?
    var missing: String?
    var cause: String?
    var advice: String?
    /// The id of what went wrong, where several rules can find the same fault, such as a message without an answer. The
    /// first rule to report it makes the incident; later ones add their evidence and cause.
    var fault: String?
    /// Whether it updates the incident of the same anchor instead of counting as a repeat.
    var isUpdate = false

    init(
      _ level: RuleLevel, _ sentence: String, _ evidence: [Citation], about: RuleRow? = nil,
      sessionID: String? = nil, userID: String? = nil, subject: String? = nil, toMs: Int64? = nil,
      missing: String? = nil, cause: String? = nil, advice: String? = nil, fault: String? = nil,
      isUpdate: Bool = false
    ) {
      self.level = level
      self.sentence = sentence
      self.evidence = evidence
      self.about = about
      self.sessionID = sessionID
      self.userID = userID
      self.subject = subject
      self.toMs = toMs
      self.missing = missing
      self.cause = cause
      self.advice = advice
      self.fault = fault
      self.isUpdate = isUpdate
    }
  }

  /// Adds a finding of the running rule, or counts it as a repeat.
  ///
  /// - Returns: the id of its incident.
  @discardableResult
  package mutating func report(_ report: Report) -> Incident.ID? {
    guard let anchor = report.evidence.first, let last = report.evidence.last else { return nil }
    let session = report.sessionID ?? report.about?.sessionID
    let user = report.userID ?? report.about?.userID
    // The level of the configuration is that of the rule; what a rule itself calls milder stays so.
    let level = levelOfRule.map { report.level == .info ? min($0, .info) : $0 } ?? report.level
    let toMs = report.toMs ?? last.timeMs
    if let fault = report.fault, let id = faults[fault], let known = incidents[id],
      known.rule != rule
    {
      incidents[id] = Self.joined(known, report, level, toMs)
      return id
    }
    let key = Key(rule: rule, session: session, subject: report.subject ?? user)
    if report.isUpdate, var known = incidents[id(session: session, anchor: anchor)] {
      known.toMs = max(known.toMs, toMs)
      known.sentence = report.sentence
      incidents[known.id] = known
      return known.id
    }
    if let id = latest[key], var known = incidents[id], known.level == level,
      anchor.timeMs - known.toMs <= Incident.repeatMs
    {
      known.count += 1
      known.toMs = max(known.toMs, toMs)
      known.sentence = report.sentence
      known.add(report.evidence)
      incidents[id] = known
      if let fault = report.fault { faults[fault] = id }
      return id
    }
    let id = id(session: session, anchor: anchor)
    latest[key] = id
    if let fault = report.fault { faults[fault] = id }
    // One anchor gives one incident.
    guard incidents[id] == nil else { return id }
    incidents[id] = Incident(
      id: id, rule: rule, level: level, sessionID: session, guildID: report.about?.guildID,
      channelID: report.about?.channelID, userID: user, fromMs: anchor.timeMs, toMs: toMs,
      sentence: report.sentence, evidence: Array(report.evidence.prefix(Incident.maxEvidence)),
      missing: report.missing, cause: report.cause, advice: report.advice ?? advice)
    return id
  }

  /// The id of the incident with this anchor. Several events of one name may have the same time: the next free place is
  /// taken.
  private func id(session: String?, anchor: Citation) -> Incident.ID {
    for place in 0..<100 {
      let id = Incident.id(rule, anchor: anchor, place: place)
      guard let known = incidents[id] else { return id }
      if known.sessionID == session, known.evidence.first == anchor { return id }
    }
    return Incident.id(rule, anchor: anchor)
  }

  /// An incident with the evidence and the cause that another rule reports of the same fault.
  private static func joined(
    _ known: Incident, _ report: Report, _ level: RuleLevel, _ toMs: Int64
  ) -> Incident {
    var known = known
    known.level = max(known.level, level)
    known.toMs = max(known.toMs, toMs)
    known.add(report.evidence)
    known.cause = report.cause ?? known.cause
    return known
  }

  /// Forgets the oldest incidents beyond a number.
  mutating func keep(_ count: Int) {
    guard incidents.count > count else { return }
    let newest = incidents.values.sorted { ($0.toMs, $0.id) > ($1.toMs, $1.id) }.prefix(count)
    incidents = Dictionary(uniqueKeysWithValues: newest.map { ($0.id, $0) })
    latest = latest.filter { incidents[$0.value] != nil }
    faults = faults.filter { incidents[$0.value] != nil }
  }
}

extension Incident {
  /// Adds evidence up to the limit: the anchor stays, and of the others the newest.
  fileprivate mutating func add(_ more: [Citation]) {
    evidence += more.filter { !evidence.contains($0) }
    if evidence.count > Self.maxEvidence {
      evidence.removeSubrange(1...(evidence.count - Self.maxEvidence))
    }
  }
}
