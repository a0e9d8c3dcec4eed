package import CockpitText
package import TerminalCore

extension Why {
  /// The exchange in a few words, such as `answer 02:14 to Mira`: for the header and for titles. The author's
  /// name is untrusted text.
  ///
  /// - Parameter nowMs: times of another day than this one (ms since 1970) get their date.
  package func name(_ clock: ClockFormat, nowMs: Int64) -> PlainText {
    let isToday = clock.dayNumber(ms: exchange.startMs) == clock.dayNumber(ms: nowMs)
    let day = isToday ? "" : clock.monthDay(ms: exchange.startMs) + " "
    var name = noun + " " + day + clock.time(ms: exchange.startMs).prefix(columns: 5)
    switch exchange.medium {
    case .text, .voice:
      if exchange.author != nil || exchange.authorID != nil {
        name += " to " + PlainText(exchange.authorName, limit: 60).cut(to: 20)
      }
    case .thought, .automation, .initiative, .request: break
    }
    return name
  }

  private var noun: PlainText {
    switch exchange.medium {
    case .thought: "thought"
    case .automation: "run"
    case .initiative: exchange.initiative?.isPost == false ? "unsent post" : "post"
    case .request:
      switch exchange.request?.kind {
      case .question: "question"
      case .pairing: "pairing"
      case .approval, nil: "approval"
      }
    case .text, .voice: outcome.isSilence ? "silence" : "answer"
    }
  }
}
