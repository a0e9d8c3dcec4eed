import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore

extension Alarm {
  static let waitsCondition =
    "a command, a plugin's request, a question or a device waits for your answer"

  /// One alarm for each pending card.
  package static func waiting(in board: ControlBoard, nowMs: Int64) -> [Alarm] {
    board.waiting.map { card in
      let agent = card.agent.map { " of \($0)" } ?? ""
      let sentence = "\(card.kindWords)\(agent) waits for your answer: \(card.subject)"
      let begin = card.createdMs ?? nowMs
      return Alarm(
        TriageTrouble(
          id: TriageTrouble.ID(rule: waitsRule, subject: card.id), level: .warning, word: "waits",
          sinceMs: begin, count: 1,
          answer: Answer(
            String(VisibleText().of(sentence).prefix(400)), state: .observed, evidence: [],
            coverage: .init(fromMs: begin, toMs: nowMs, isComplete: true),
            next: .init("Answer it with ! in the cockpit, or see 'clanky-cockpit approvals list'.")),
          recovery: "It waits no longer."),
        isLive: true)
    }
  }
}
