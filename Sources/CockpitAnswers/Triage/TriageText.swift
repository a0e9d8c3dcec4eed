package import CockpitText
package import TerminalCore

/// The report as people read it: a word for the header, one row for every tab, sentences for commands. The
/// words are those of the answers; here they are only put together and cut.
package struct TriageText {
  package let report: TriageReport
  /// Writes times; nil leaves them out.
  package var clock: ClockFormat?
  /// The key that opens the list; nil where no key does.
  package var listKey: PlainText?

  package init(_ report: TriageReport, clock: ClockFormat? = nil, listKey: PlainText? = nil) {
    self.report = report
    self.clock = clock
    self.listKey = listKey
  }

  // MARK: Words

  /// `bot ok`, `bot offline`, `bot back`, `bot ?`; with a question mark when the data are old. Printable
  /// ASCII, twelve columns at most.
  package var word: PlainText { asOf(PlainText(botWord.description)) }

  /// The same without a mark for old data: the last of `bot ok`, `bot back` and `bot ?` stand for no trouble.
  package var botWord: StaticString {
    if let worst = report.ofBot.first { return worst.word.text }
    if !report.isKnown { return "bot ?" }
    return report.recovered.isEmpty ? "bot ok" : "bot back"
  }

  /// `bot !` in the place of what is wrong.
  package var shortWord: PlainText {
    asOf(!report.ofBot.isEmpty ? "bot !" : !report.isKnown ? "bot ?" : "bot ok")
  }

  private func asOf(_ word: PlainText) -> PlainText {
    report.asOfMs == nil || !report.isKnown ? word : word + "?"
  }

  /// The colour of the word.
  package var role: Role {
    guard report.isKnown, report.asOfMs == nil else { return .muted }
    guard let worst = report.ofBot.first else {
      return report.recovered.isEmpty ? .positive : .info
    }
    return Self.role(worst.level)
  }

  package static func role(_ level: TriageLevel) -> Role {
    switch level {
    case .critical: .negative
    case .warning: .warning
    case .info: .info
    }
  }

  // MARK: The line

  /// What is worst, since when, how often, what to do, and how many more there are; what ended a moment ago
  /// where nothing is wrong; empty when there is nothing to say.
  ///
  /// In one row if that holds the whole sentence. Else the next step has a second row, where there is one;
  /// without it the sentence is shortened, at last to the word of its rule. From `leastColumns` on
  /// onset, count and next step are never cut.
  ///
  /// - Parameter limit: rows that may be used, at least 1.
  package func lines(columns: Int, limit: Int) -> [PlainText] {
    guard let worst = report.open.first else {
      return report.recovered.isEmpty ? [] : recoveries.wrapped(to: columns, limit: limit)
    }
    let next = PlainText(worst.answer.next?.sentence ?? "")
    let tail = Self.joined([next, more])
    let sentence = PlainText(worst.answer.sentence, limit: 400)
    let (long, short) = (sinceSentence(worst), shortSince(worst))
    for since in [long, short] {
      let text = Self.joined([sentence, since, tail])
      if text.columns <= columns { return [text] }
    }
    if limit > 1, columns >= Self.leastColumns {
      let room = columns - short.columns - 1
      let whole = Self.joined([sentence, long])
      return [
        whole.columns <= columns ? whole : Self.joined([sentence.cut(to: room), short]), tail,
      ]
    }
    let room = columns - Self.joined([short, tail]).columns - 1
    if room >= Self.leastSentence { return [Self.joined([sentence.cut(to: room), short, tail])] }
    let word = PlainText(worst.word.text.description)
    let tiny = tinySince(worst)
    let texts: [PlainText] = [
      Self.joined([word + ".", short, tail]), Self.joined([word, tiny, tail]),
      Self.joined([word, tiny, next, shortMore]), Self.joined([word + ".", next, shortMore]),
    ]
    return [texts.first { $0.columns <= columns } ?? (word + ". " + tail).cut(to: columns)]
  }

  /// The same in one row; nil when there is nothing to say.
  package func line(columns: Int) -> PlainText? { lines(columns: columns, limit: 1).first }

  /// `! 2 more`: the key that lists them and how many there are besides the worst.
  private var more: PlainText {
    let count = report.open.count - 1
    guard count > 0 else { return "" }
    return listKey.map { $0 + " \(count) more" } ?? PlainText("+\(count) more")
  }

  /// `! +2`.
  private var shortMore: PlainText {
    let count = report.open.count - 1
    guard count > 0 else { return "" }
    return (listKey.map { $0 + " " } ?? "") + PlainText("+\(count)")
  }

  private static func joined(_ parts: [PlainText]) -> PlainText {
    parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Columns from which word, onset, count, next step and the others fit one row for every rule.
  package static let leastColumns = 77

  /// Columns below which the beginning of a sentence says less than its word.
  private static let leastSentence = 22

  /// The role of the line.
  package var lineRole: Role { report.open.first.map { Self.role($0.level) } ?? .info }

  // MARK: Sentences

  /// `Since 14:31:20 or before, 4 times.`; empty without a clock.
  package func sinceSentence(_ trouble: TriageTrouble) -> PlainText {
    guard let clock else { return "" }
    var text: PlainText = "Since " + clock.time(ms: trouble.sinceMs)
    if trouble.mayBeOlder { text += " or before" }
    if trouble.count > 1 { text += ", " + Figures.count(trouble.count) + " times" }
    return text + "."
  }

  /// `Since 14:31, 4x.`, `Seen at 14:31.`
  private func shortSince(_ trouble: TriageTrouble) -> PlainText {
    // A trouble in the first state began at that time or earlier.
    since(trouble, trouble.mayBeOlder ? "Seen at " : "Since ")
  }

  /// `14:31, 4x.`, `by 14:31.`
  private func tinySince(_ trouble: TriageTrouble) -> PlainText {
    since(trouble, trouble.mayBeOlder ? "by " : "")
  }

  private func since(_ trouble: TriageTrouble, _ head: PlainText) -> PlainText {
    guard let clock else { return "" }
    var text = head + clock.time(ms: trouble.sinceMs).prefix(columns: 5)
    if trouble.count > 1 { text += ", " + Figures.count(trouble.count) + "x" }
    return text + "."
  }

  /// One trouble with onset, count and next step.
  package func sentence(_ trouble: TriageTrouble) -> PlainText {
    var parts = [PlainText(trouble.answer.sentence, limit: 400)]
    let since = sinceSentence(trouble)
    if !since.isEmpty { parts.append(since) }
    if let next = trouble.answer.next { parts.append(PlainText(next.sentence)) }
    return parts.joined(separator: " ")
  }

  /// All that is wrong with the bot, the worst first, and what to do about each; what is over where nothing is
  /// wrong any more; nil when there is nothing to say.
  package var sentence: PlainText? {
    if !report.ofBot.isEmpty { return report.ofBot.map(sentence).joined(separator: " ") }
    return report.recovered.isEmpty ? nil : recoveries
  }

  /// The same where there is a line of its own, `bot ok` included.
  package var status: PlainText {
    if let sentence { return sentence }
    return report.isKnown
      ? "The bot is connected to Discord, and nothing is known to be wrong with it."
      : "How the bot itself is has not been said yet."
  }

  private var recoveries: PlainText {
    report.recovered.map { trouble in
      let text = PlainText(trouble.recovery)
      guard let clock, let endedMs = trouble.endedMs else { return text }
      return text + " (" + clock.time(ms: trouble.sinceMs) + " to " + clock.time(ms: endedMs) + ")"
    }.joined(separator: " ")
  }
}
