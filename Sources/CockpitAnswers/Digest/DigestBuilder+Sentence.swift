internal import ClankyWire
internal import CockpitStores
internal import CockpitText

/// The sentence on top.
extension DigestBuilder {
  func sentence(
    _ lines: [Digest.Line], _ groups: [TriageBoard.Failures], _ cost: DigestCost, hasRows: Bool
  ) -> String {
    let span = "\(Figures.age(ms: input.toMs - input.fromMs))"
    let from = DigestWords.moment(input.fromMs, input.toMs, input.clock)
    let head =
      switch input.beginning {
      case .lastLook: "Since you last looked at \(from) (\(span))"
      case .given, .evening: "Since \(from) (\(span))"
      }
    guard hasRows else {
      return input.missing.isEmpty
        ? "\(head) nothing happened: no row is on record, and none is missing."
        : "Unknown: no row since \(from) (\(span)) is here, and rows may be missing."
    }
    func count(_ topic: Digest.Topic) -> Int {
      lines.first { $0.topic == topic && !$0.isDetail }?.count ?? 0
    }
    var parts: [String] = []
    let (answered, silent) = (count(.answers), count(.silences))
    let (who, verb) = isOfGateway ? ("the agents", "were") : ("the bot", "was")
    parts.append(
      answered == 0 ? "\(who) gave no answer" : "\(who) answered \(DigestWords.times(answered))")
    parts.append(
      silent == 0 ? "\(verb) never silent" : "\(verb) silent \(DigestWords.times(silent))")
    let failed = count(.failures)
    if failed > 0 { parts.append("failed to answer \(DigestWords.times(failed))") }
    let last = parts.removeLast()
    var text = "\(head) \(parts.joined(separator: ", ")) and \(last)"
    let troubles = groups.flatMap(\.troubles)
    if let worst = troubles.min(by: TriageTrouble.isWorse) {
      text += "; \(DigestWords.count(troubles.count, "trouble")), the worst: \(worst.word.text)"
    } else {
      let errors = count(.errors)
      text += errors == 0 ? "; no errors" : "; \(DigestWords.count(errors, "single error"))"
    }
    if cost.isUnknown {
      text += "; " + DigestCost.unknown
    } else {
      text += "; \(Figures.cost(cost.usd))"
      text += DigestWords.usualShort(cost.usd, input.earlierCosts)
    }
    if !input.missing.isEmpty {
      text += ". Rows are missing, so these are what is here at least"
    } else if exchanges.count < Self.few {
      text += ". Too little to say whether that is usual"
    }
    return text + "."
  }

  /// Whether the rows are those of a gateway: a log has rows of one source.
  private var isOfGateway: Bool {
    if let first = exchanges.first { return first.exchange.isOfAgent }
    guard !input.log.isEmpty else { return false }
    return input.rows.row(input.log.rowID(at: 0)).map { RowOrigin.isGateway($0.metadata) } ?? false
  }

  /// Fewer exchanges say nothing about how a bot usually is.
  private static let few = 5
}
