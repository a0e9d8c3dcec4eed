/// What a rule found, as a trace of one span with an event `clanky.anomaly`.
struct IncidentTrace {
  let span: OTLPSpan

  /// - Parameter hasWords: whether the sentence is in it, which may quote what was said.
  init(_ incident: SinkIncident, fingerprint: [UInt8], hasWords: Bool) {
    let trace = RowFingerprint.digest([
      Array("trace".utf8), fingerprint, Array("incident \(incident.id)".utf8),
    ])
    let row = incident.row
    var span = OTLPSpan(
      traceID: trace,
      spanID: Array(RowFingerprint.digest([Array("span".utf8), trace]).prefix(8)),
      name: "anomaly \(incident.rule)", kind: .internal, startNs: TurnTrace.ns(row.atMs),
      endNs: TurnTrace.ns(max(row.atMs, incident.toMs)))
    var attributes: [OTLPSpan.Attribute] = [
      .init(GenAI.anomalyRule, .string(incident.rule)),
      .init(GenAI.anomalyLevel, .string(incident.level)),
    ]
    if hasWords, let sentence = row.content {
      attributes.append(.init(GenAI.anomalySentence, .string(String(sentence.prefix(500)))))
    }
    span.attributes = [.init(GenAI.kind, .string("anomaly"))] + attributes
    if let session = row.session {
      span.attributes.append(.init(GenAI.conversation, .string(session)))
    }
    if let person = row.person { span.attributes.append(.init(GenAI.user, .string(person))) }
    span.events = [
      OTLPSpan.Event(timeNs: span.endNs, name: GenAI.anomaly, attributes: attributes)
    ]
    if incident.level == "critical" {
      span.error = incident.rule
      span.attributes.append(.init(GenAI.errorType, .string(incident.rule)))
    }
    self.span = span
  }
}
