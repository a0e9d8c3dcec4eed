internal import CockpitStores

/// The steps of each medium.
extension WhyStep {
  private static let nothing = "not on record"

  static func text(_ exchange: Exchange) -> [WhyStep] {
    let judged =
      exchange.isOfAgent
      ? []
      : [
        addressed(exchange), admitted(exchange),
        WhyStep(
          .gate, exchange.gate?.source,
          exchange.gate.map { decision($0, yes: "open") } ?? nothing),
      ]
    return [cameIn(exchange)] + judged + [
      model(exchange), tools(exchange), generated(exchange), delivered(exchange),
      output(exchange),
    ]
  }

  private static func cameIn(_ exchange: Exchange) -> WhyStep {
    let words =
      exchange.words.map { WhyWords.quote($0, limit: 200) } ?? "the words are on no row here"
    return WhyStep(.cameIn, exchange.trigger, "\(exchange.authorName): \(words)")
  }

  private static func addressed(_ exchange: Exchange) -> WhyStep {
    guard let addressing = exchange.addressing else { return WhyStep(.addressed, nil, nothing) }
    var parts: [String] = []
    if let isDirect = addressing.isDirect { parts.append(isDirect ? "directly" : "not directly") }
    if let reason = addressing.reason {
      parts.append(exchange.voice == nil ? reason : "to \(reason)")
    }
    if let confidence = addressing.confidence {
      let of = addressing.threshold.map { " of \(share($0)) needed" } ?? ""
      parts.append(share(confidence) + of)
    }
    return WhyStep(.addressed, addressing.source, parts.joined(separator: ", "))
  }

  private static func share(_ value: Double) -> String {
    "\(Int((min(max(value, 0), 1) * 100).rounded())) %"
  }

  private static func admitted(_ exchange: Exchange) -> WhyStep {
    if let queue = exchange.queue {
      return WhyStep(.admitted, queue.source, "no: \(WhyWords.reason(queue.reason))")
    }
    return WhyStep(
      .admitted, exchange.admission?.source,
      exchange.admission.map { decision($0, yes: "yes") } ?? nothing)
  }

  private static func decision(_ decision: Exchange.Decision, yes: String) -> String {
    switch decision.allow {
    case true?: "\(yes): \(WhyWords.reason(decision.reason))"
    case false?: "no: \(WhyWords.reason(decision.reason))"
    case nil: WhyWords.reason(decision.reason)
    }
  }

  private static func model(_ exchange: Exchange) -> WhyStep {
    var parts: [String] = []
    if !exchange.calls.isEmpty {
      let count = exchange.calls.count
      parts.append(count == 1 ? "1 call" : "\(count) calls")
      if let model = exchange.calls.last?.model { parts.append(model) }
    }
    let errors = exchange.modelErrors
    if let error = errors.last {
      let times = errors.count == 1 ? "failed" : "failed \(errors.count) times"
      parts.append("\(times): \(WhyWords.failure(error.text))")
    }
    if let offered = exchange.offeredTools {
      parts.append(offered == 1 ? "1 tool offered" : "\(offered) tools offered")
    }
    let source = exchange.calls.last?.source ?? errors.last?.source
    return WhyStep(.model, source, source == nil ? nothing : parts.joined(separator: ", "))
  }

  private static func tools(_ exchange: Exchange) -> WhyStep {
    guard !exchange.tools.isEmpty else {
      return WhyStep(
        .tools, exchange.calls.last?.source,
        exchange.calls.isEmpty ? nothing : "no tool was called")
    }
    let words = exchange.tools.map { tool in
      let time = tool.durationMs.map { " " + WhyWords.span($0) } ?? ""
      let error = tool.error.map { ": " + WhyWords.quote($0, limit: 40) } ?? ""
      return tool.name + time + (tool.isSuccess == false ? " failed" + error : "")
    }
    let source = exchange.tools.lazy.compactMap(\.source).first ?? exchange.calls.first?.source
    return WhyStep(
      .tools, source, words.joined(separator: ", "),
      state: exchange.tools.contains { $0.source == nil } ? .inferred : nil)
  }

  private static func generated(_ exchange: Exchange) -> WhyStep {
    guard let call = exchange.calls.last else { return WhyStep(.generated, nil, nothing) }
    guard let text = call.text else {
      return WhyStep(.generated, call.source, "words that are not on record")
    }
    return WhyStep(
      .generated, call.source,
      text.isEmpty ? "nothing to say" : WhyWords.quote(text, limit: 200))
  }

  private static func delivered(_ exchange: Exchange) -> WhyStep {
    if let sent = exchange.sent.last {
      let count = exchange.sent.count
      return WhyStep(
        .delivered, sent.source,
        count == 1 ? "sent" : "sent in \(count) messages")
    }
    if let skip = exchange.skips.last {
      return WhyStep(.delivered, skip.source, "no: \(WhyWords.reason(skip.text))")
    }
    if let error = exchange.sendErrors.last {
      return WhyStep(
        .delivered, error.source, "not on record; " + WhyWords.quote(error.text, limit: 60))
    }
    return WhyStep(
      .delivered, exchange.reactions.last?.source,
      exchange.reactions.isEmpty ? nothing : "no text, a reaction")
  }

  private static func output(_ exchange: Exchange) -> WhyStep {
    if let sent = exchange.sent.last {
      // Words that stand in the step before are not quoted again.
      let isSame = exchange.calls.last?.text == sent.text
      return WhyStep(
        .output, sent.source, isSame ? "as generated" : WhyWords.quote(sent.text, limit: 200))
    }
    if let reaction = exchange.reactions.last {
      return WhyStep(.output, reaction.source, "reaction \(WhyWords.quote(reaction.text))")
    }
    return WhyStep(.output, nil, nothing)
  }

  // MARK: Voice

  /// The verdict's steps, in the words of both media.
  static func voice(_ exchange: Exchange) -> [WhyStep] {
    guard let part = exchange.voice else { return [] }
    var items: [Verdict.Step: Verdict.Item] = [:]
    for item in part.verdict.items { items[item.step] = item }
    func step(_ kind: Kind, _ from: Verdict.Step) -> WhyStep {
      guard let item = items[from] else { return WhyStep(kind, nil, nothing) }
      let source = item.event.flatMap { part.sources[$0] }
      return WhyStep(kind, source, item.detail, state: state(item, source))
    }
    var came =
      items[.asr] == nil
      ? WhyStep(.cameIn, exchange.trigger, exchange.words ?? "") : step(.cameIn, .asr)
    if came.source == nil { came.source = exchange.trigger }
    came.detail = "\(exchange.authorName): \(came.detail)"
    if exchange.medium == .thought {
      came = WhyStep(.cameIn, exchange.trigger, "a thought of its own")
    }
    let lock = part.turn.decision?.outputLockReason
    let gate = WhyStep(
      .gate, lock == nil ? nil : exchange.admission?.source,
      lock.map { "output locked: \($0)" } ?? nothing)
    let reply = step(.delivered, .reply)
    var generated = WhyStep(.generated, nil, nothing)
    if let text = part.turn.reply {
      let source = exchange.calls.last?.source ?? reply.source
      generated = WhyStep(.generated, source, WhyWords.quote(text, limit: 200))
    }
    var delivered = reply
    if delivered.state == .observed { delivered.detail = "handed to speech" }
    return [
      came, addressed(exchange), step(.admitted, .decision), gate, step(.model, .generation),
      step(.tools, .tools), generated, delivered, step(.output, .audio),
    ]
  }

  private static func state(_ item: Verdict.Item, _ source: Exchange.Source?) -> State {
    switch item.state {
    case .passed, .failed, .stopped: source == nil ? .inferred : .observed
    case .skipped: item.step == .tools ? .inferred : .notReached
    case .unknown, .running: .unknown
    case .inferred: .inferred
    }
  }

  // MARK: What waited

  static func request(_ exchange: Exchange) -> [WhyStep] {
    let part = exchange.request
    let answer =
      part?.isExpired == true
      ? "nobody, until it expired"
      : (part?.decision ?? "") + (part?.resolvedBy.map { " by \(WhyWords.quote($0))" } ?? "")
    func note(_ kind: Kind, _ note: Exchange.Note?) -> WhyStep {
      WhyStep(kind, note?.source, note.map { WhyWords.quote($0.text, limit: 200) } ?? nothing)
    }
    return [
      WhyStep(
        .cameIn, part?.asked, part?.subject.map { WhyWords.quote($0, limit: 200) } ?? nothing),
      WhyStep(.admitted, part?.end, part?.end == nil ? nothing : answer),
      note(.tools, part?.after), note(.output, part?.runEnd),
    ]
  }

  // MARK: Of its own accord

  static func own(_ exchange: Exchange) -> [WhyStep] {
    var first: WhyStep
    if let run = exchange.run {
      let end = run.statusAfter.map { ", now \($0)" } ?? ""
      let name =
        run.name.map { "the job \(WhyWords.quote($0))" } ?? "automation #\(run.automationID)"
      first = WhyStep(.cameIn, run.source, "\(name) ran\(end)")
    } else if exchange.medium == .thought {
      first = WhyStep(
        .cameIn, exchange.trigger, exchange.words.map { WhyWords.quote($0) } ?? "a thought")
    } else {
      first = WhyStep(.cameIn, exchange.trigger, "of its own accord")
    }
    if first.source == nil { first.source = exchange.trigger }
    var steps = [first]
    if exchange.medium == .thought { steps.append(admitted(exchange)) }
    if exchange.medium != .thought {
      steps += [model(exchange), generated(exchange)]
    }
    steps += [delivered(exchange), output(exchange)]
    return steps
  }
}
