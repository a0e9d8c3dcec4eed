internal import CockpitStores
internal import CockpitText
package import TerminalCore

/// A promise in words; the same on the screen, in `status`, in the triage line and in an alarm.
package struct PromiseText {
  package let promise: Promise

  package init(_ promise: Promise) { self.promise = promise }

  /// At most 10 columns.
  package var label: PlainText {
    switch promise.kind {
    case .text: "TEXT P95"
    case .voice: "VOICE P95"
    case .unanswered: "UNANSWERED"
    case .cost: "COST/DAY"
    case .skip: "SKIPPED"
    }
  }

  // MARK: Figures

  /// `5.20s`, `worst 9.70s`, `4%`, `$2.47`; `-` for unknown.
  package var value: PlainText {
    switch promise.value {
    case .p95(let ms): Figures.duration(ms: Double(ms))
    case .worst(let ms): "worst " + Figures.duration(ms: Double(ms))
    case .share(let share): Figures.percent(share)
    case .count(let count): Figures.count(count)
    case .usd(let usd): Figures.cost(usd)
    case nil: "-"
    }
  }

  /// `8.00s`, `2%`, `20-60%`, `$5.00`.
  package var objective: PlainText {
    switch promise.objective {
    case .milliseconds(let ms): Figures.duration(ms: Double(ms))
    case .share(let share): Self.share(share)
    case .count(let count): Figures.count(count)
    case .usd(let usd): Figures.cost(usd)
    case .range(let range):
      Figures.percent(range.lowerBound) + " to " + Figures.percent(range.upperBound)
    }
  }

  /// A promised share may be less than one percent.
  private static func share(_ share: Double) -> PlainText {
    let percent = share * 100
    guard percent > 0, percent < 10, percent != percent.rounded() else {
      return Figures.percent(share)
    }
    return PlainText(Figures.fixed(percent, 1) + "%")
  }

  /// The time that the value is about: `24h`, `6h12m here`, `the rows here`, `the UTC day`.
  package var window: PlainText {
    if promise.kind == .cost { return "the UTC day" }
    let ms = promise.toMs - promise.fromMs
    let text = Self.span(ms)
    if promise.isComplete { return text }
    return promise.isCovered ? text + " here" : "the rows here"
  }

  /// `1h`, `24h`, `7d`, `6h12m`.
  static func span(_ ms: Int64) -> PlainText {
    if ms > 0, ms % 86_400_000 == 0, ms > 86_400_000 { return PlainText("\(ms / 86_400_000)d") }
    if ms > 0, ms % 3_600_000 == 0 { return PlainText("\(ms / 3_600_000)h") }
    if ms > 0, ms < 3_600_000, ms % 60_000 == 0 { return PlainText("\(ms / 60_000)m") }
    return Figures.left(ms: ms)
  }

  /// `kept`, `burning`, `broken`, `too few`, `unknown`.
  package var verdict: PlainText {
    switch promise.verdict {
    case .kept: "kept"
    case .burning: "burning"
    case .broken: "broken"
    case .tooFew: "too few"
    case .unknown: "not known"
    }
  }

  package var role: Role {
    switch promise.verdict {
    case .kept: .positive
    case .burning: .warning
    case .broken: .negative
    case .tooFew, .unknown: .muted
    }
  }

  /// What stands behind the verdict, for a second row: `budget 62% used, burns 7.2x (1h), broken in 3h10m`.
  package var budget: PlainText {
    if promise.verdict == .tooFew {
      return "too few to tell: " + Figures.count(promise.n) + " of "
        + Figures.count(promise.leastN)
    }
    var parts: [PlainText] = []
    if let used = promise.used {
      parts.append(
        used <= 1 ? "budget " + Figures.percent(used) + " used" : "budget used " + Self.times(used))
    }
    if let burn = promise.burn {
      parts.append("burns " + Self.times(burn.rate) + " (" + Self.span(burn.overMs) + ")")
    }
    if let ms = promise.breachInMs { parts.append("broken in " + Figures.left(ms: ms)) }
    return parts.joined(separator: ", ")
  }

  private static func times(_ rate: Double) -> PlainText {
    guard rate.isFinite else { return "-" }
    return PlainText(Figures.fixed(min(rate, 9999), rate < 100 ? 1 : 0) + "x")
  }

  // MARK: Sentences

  /// One sentence with its full stop.
  package var sentence: String {
    switch promise.verdict {
    case .broken: broken
    case .burning:
      "\(subject) use up what \(promise.kind == .cost ? "the day" : "the promise") allows "
        + "\(burnWords)."
    case .kept: "\(subject) keep the promise: \(value) of \(objective) (n \(promise.n), \(window))."
    case .tooFew:
      "\(promise.n) \(noun) of \(window) are too few to tell whether \(objective) is kept "
        + "(\(promise.leastN) would do)."
    case .unknown: "Nothing is known of \(subject.lowercased()) in \(window)."
    }
  }

  private var burnWords: String {
    guard let burn = promise.burn else { return "too fast" }
    let breach = promise.breachInMs.map { "; broken in \(Figures.left(ms: $0)) at that rate" } ?? ""
    return "\(Self.times(burn.rate)) too fast (last \(Self.span(burn.overMs)))\(breach)"
  }

  private var broken: String {
    let missed = promise.missed ?? 0
    switch promise.kind {
    case .text, .voice:
      return "\(missed) of \(promise.n) \(noun) of \(window) took longer than the promised "
        + "\(objective); 5% may."
    case .unanswered:
      return "\(missed) of \(promise.n) messages to the bot of \(window) got no answer; "
        + "\(objective) may."
    case .cost:
      return "Today's cost, UTC, is \(value); \(objective) is promised."
    case .skip:
      return "The bot skipped \(value) of \(promise.n) messages of \(window); \(objective) is "
        + "promised."
    }
  }

  private var noun: String {
    switch promise.kind {
    case .text: "text answers"
    case .voice: "spoken answers"
    case .unanswered: "messages to the bot"
    case .cost: "rows with a cost"
    case .skip: "decided messages"
    }
  }

  private var subject: String {
    switch promise.kind {
    case .text: "Text answers"
    case .voice: "Spoken answers"
    case .unanswered: "Unanswered messages"
    case .cost: "Costs"
    case .skip: "Skipped messages"
    }
  }

  /// The next step: at most 43 columns.
  package static func next(_ kind: Promise.Kind) -> Answer.NextStep {
    switch kind {
    case .text:
      Answer.NextStep(
        "See how long the answers took.", target: .filter("kind:sent_reply since:24h"))
    case .voice:
      Answer.NextStep(
        "See what the turns waited for.",
        target: .filter("event:voice_latency_stage meta.stage:audio_started since:24h"))
    case .unanswered: Answer.NextStep("See the messages without an answer.")
    case .cost: Answer.NextStep("See what costs most.", target: .line("tab cmd"))
    case .skip:
      Answer.NextStep(
        "See why the bot was silent.", target: .filter("kind:reply_skipped since:24h"))
    }
  }
}
