package import CockpitText
package import TerminalCore

/// The report as people read it: a word for the header, one row for every tab, sentences for commands. The
/// words are those of the answers; here they are only put together and cut.
package struct TriageText {
  package let report: TriageReport
  /// Writes times; nil leaves them out.
  package var clock: ClockFormat?

  package init(_ report: TriageReport, clock: ClockFormat? = nil) {
    self.report = report
    self.clock = clock
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

  /// What is worst, since when, how often, and what to do, in one row; what ended a moment ago where nothing
  /// is wrong; nil when there is nothing to say. What to do is never cut where 78 columns are there: what is
  /// wrong is shortened first, to its word at last.
  package func line(columns: Int) -> PlainText? {
    guard let worst = report.open.first else {
      return report.recovered.isEmpty ? nil : recoveries.cut(to: columns)
    }
    let more: PlainText = report.open.count > 1 ? PlainText(" +\(report.open.count - 1) more") : ""
    let next = PlainText(worst.answer.next?.sentence ?? "")
    let tail = (next.isEmpty ? "" : " " + next) + more
    let sentence = PlainText(worst.answer.sentence, limit: 400)
    let word = PlainText(worst.word.text.description)
    let (long, short) = (sinceSentence(worst), shortSince(worst, withCount: true))
    for middle in [long, short] {
      let text = sentence + (middle.isEmpty ? "" : " " + middle) + tail
      if text.columns <= columns { return text }
    }
    let room = columns - tail.columns - (short.isEmpty ? 0 : short.columns + 1)
    if room >= Self.leastSentence {
      return sentence.cut(to: room) + (short.isEmpty ? "" : " " + short) + tail
    }
    let heads = [
      word + " " + short, word + " " + shortSince(worst, withCount: false), word + ".",
    ]
    return heads.map { $0 + tail }.first { $0.columns <= columns }
      ?? (word + "." + tail).cut(to: columns)
  }

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

  /// `since 14:31, 4x.`, `seen at 14:31.`
  private func shortSince(_ trouble: TriageTrouble, withCount: Bool) -> PlainText {
    guard let clock else { return "" }
    // A trouble in the first state began at that time or earlier.
    let head: PlainText = trouble.mayBeOlder ? "seen at " : "since "
    var text = head + clock.time(ms: trouble.sinceMs).prefix(columns: 5)
    if withCount, trouble.count > 1 { text += ", " + Figures.count(trouble.count) + "x" }
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
