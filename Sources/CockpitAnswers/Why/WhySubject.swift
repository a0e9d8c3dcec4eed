internal import ClankyWire
internal import CockpitStores
package import CockpitText

/// The subject of a `why` question, as typed.
package enum WhySubject: Hashable, Sendable {
  /// The newest answer or silence.
  case last
  /// The newest silence.
  case silent
  /// A row, by the backend's id.
  case action(Int)
  /// A message, by its id of Discord.
  case message(String)
  /// The last turn of a voice session.
  case session(String)
  /// The newest that began when the clock showed this, such as `14:31`.
  case time(String)
  /// The newest of a person of that name, else the newest in which the words occur.
  case words(String)

  package init(_ text: String) {
    let text = text.split(separator: " ").joined(separator: " ")
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    if text.lowercased() == "last" {
      self = .last
    } else if text.lowercased() == "silent" {
      self = .silent
    } else if isNumber, text.utf8.count >= 15 {
      self = .message(text)
    } else if isNumber, let id = Int(text) {
      self = .action(id)
    } else if text.first == "#", let id = Int(text.dropFirst()) {
      self = .action(id)
    } else if Self.isTime(text) {
      self = .time(text.utf8.count % 3 == 1 ? "0" + text : text)
    } else if text.utf8.count == 36, text.split(separator: "-").count == 5, !text.contains(" ") {
      self = .session(text)
    } else {
      self = .words(text)
    }
  }

  /// `14:31` or `14:31:07`, the first number with one digit or two.
  private static func isTime(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...2).contains(parts[0].utf8.count) else { return false }
    return parts.dropFirst().allSatisfy { $0.utf8.count == 2 }
      && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }

  /// The missing subject, as the end of a sentence.
  package var words: String {
    switch self {
    case .last: "of an answer or a silence"
    case .silent: "of a silence"
    case .action(let id): "of a row \(id) that belongs to an answer or a silence"
    case .message(let id): "of a message \(id)"
    case .session(let id): "of a turn of the voice session \(id)"
    case .time(let time): "that began at \(time)"
    case .words(let text): "of a person called, or of words like, \(WhyWords.quote(text))"
    }
  }
}

extension ExchangeRows {
  /// The matching exchange; nil if none is on record.
  package func find(_ subject: WhySubject, _ clock: ClockFormat) -> Exchange? {
    switch subject {
    case .action(let id): return log.rowID(actionID: id).flatMap(key).flatMap(exchange)
    case .message(let id): return key(ofMessage: id).flatMap(exchange)
    case .last: return newest { _ in true }
    case .silent: return newest { Why($0).outcome.isSilence }
    case .session(let id):
      return newest { if case .turn(id, _) = $0.key { true } else { false } }
        ?? key(ofRequest: id).flatMap(exchange)
    case .time(let time):
      return newest(near: { "\(clock.time(ms: $0))".hasPrefix(time) }) {
        "\(clock.time(ms: $0.startMs))".hasPrefix(time)
      }
    case .words(let text):
      let request = text.contains(" ") ? nil : key(ofRequest: text)
      return request.flatMap(exchange) ?? find(words: text)
    }
  }

  /// The newest answer, or what is still to be one: neither silences nor what was only noise.
  package func newestAnswer() -> Exchange? { newest { Why($0).outcome.isAnswer } }

  /// The newest exchange that fits; each is made once.
  ///
  /// - Parameter isNear: whether a row of that time, in ms since 1970, can be one of its rows.
  private func newest(
    near isNear: (Int64) -> Bool = { _ in true }, where fits: (Exchange) -> Bool
  ) -> Exchange? {
    var seen: Set<Exchange.Key> = []
    for place in 0..<log.count {
      let view = log.row(at: place)
      guard view.isIn(scope), isAnchor(view), isNear(view.timeMs), let key = key(of: view.id),
        seen.insert(key).inserted, let exchange = exchange(key), fits(exchange)
      else { continue }
      return exchange
    }
    return nil
  }

  private func find(words text: String) -> Exchange? {
    let wanted = text.lowercased()
    var withWords: Exchange?
    let withName = newest { exchange in
      if exchange.author?.lowercased() == wanted { return true }
      let said = [exchange.words, exchange.answer].compactMap { $0?.lowercased() }
      if withWords == nil, said.contains(where: { $0.contains(wanted) }) { withWords = exchange }
      return false
    }
    return withName ?? withWords
  }
}

extension WhyRule.Outcome {
  /// Whether something was said, should have been, or may still be.
  var isAnswer: Bool {
    switch self {
    case .replied, .posted, .spoken, .reacted, .interrupted, .notSent, .modelFailed, .failed, .open:
      true
    case .skipped, .notAdmitted, .gateClosed, .queueRejected, .superseded, .dropped, .unheard,
      .unknown, .contradicted, .answered, .expired:
      false
    }
  }

  /// Whether nothing was said, as far as is known.
  package var isSilence: Bool {
    switch self {
    case .skipped, .notAdmitted, .gateClosed, .queueRejected, .notSent, .modelFailed, .superseded:
      true
    case .replied, .posted, .spoken, .reacted, .interrupted, .dropped, .unheard, .failed, .open,
      .unknown, .contradicted, .answered, .expired:
      false
    }
  }
}
