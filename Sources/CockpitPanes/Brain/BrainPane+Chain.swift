import ClankyWire
import CockpitAnswers
import CockpitStores
import TerminalCore

/// One answer of the bot, in speech or text.
package enum AnswerID: Hashable, Sendable {
  /// A turn of a voice session.
  case turn(session: String, id: VoiceTurnRecord.ID)
  /// The message that a model call belongs to, by that call's row.
  case row(RowID)
}

/// The chain on screen, and its title.
struct ShownChain {
  var chain: ToolChain
  var title: PlainText
  var timeMs: Int64?
}

extension BrainPane {
  /// The chain of the chosen answer, else of the selected call, else of the newest answer; nil if
  /// none of them has one.
  @MainActor func chain(_ facts: ViewContext) -> ShownChain? {
    if subject(facts) != nil || facts.selected != nil {
      return chainID(facts).flatMap { chain(of: $0, facts) }
    }
    if let answer, let shown = chain(of: answer, facts) { return shown }
    if let call = selectedCall(facts), let id = answerID(of: call.row, facts),
      let shown = chain(of: id, facts)
    {
      return shown
    }
    guard cursor == nil, let session = session(facts),
      let turns = facts.voice.record(session.sessionID)?.turns
    else { return nil }
    for turn in turns.suffix(20).reversed() {
      if let shown = chain(of: .turn(session: session.sessionID, id: turn.id), facts) {
        return shown
      }
    }
    return nil
  }

  /// The answer whose chain is shown, by a turn or by one of its rows; nil if there is none.
  @MainActor func chainID(_ facts: ViewContext) -> AnswerID? {
    guard let subject = subject(facts) else {
      return answer ?? selectedCall(facts).flatMap { answerID(of: $0.row, facts) }
    }
    if case .turn(let session, let turn) = subject.key {
      return AnswerID.turn(session: session, id: turn)
    }
    if case .row(let row)? = answer, subject.rows.contains(row) { return answer }
    let exchange = subject.exchange
    return (exchange.calls.last?.source.row ?? exchange.sources.last?.row).map(AnswerID.row)
  }

  /// The answer that a row belongs to.
  @MainActor func answerID(of row: RowID, _ facts: ViewContext) -> AnswerID? {
    if let (record, turn) = facts.voice.record(containing: row) {
      return .turn(session: record.sessionID, id: turn)
    }
    return .row(row)
  }

  @MainActor private func chain(of id: AnswerID, _ facts: ViewContext) -> ShownChain? {
    switch id {
    case .turn(let session, let turnID):
      guard let record = facts.voice.record(session), let chain = record.chain(turnID),
        !chain.nodes.isEmpty, let index = record.turns.firstIndex(where: { $0.id == turnID })
      else { return nil }
      let turn = record.turns[index]
      var title: PlainText = "turn #\(index + 1)"
      if let speaker = turn.speaker { title += " " + PlainText(speaker, limit: 24) }
      return ShownChain(chain: chain, title: title, timeMs: turn.startedAt)
    case .row(let row):
      guard let chain = chains.chain(of: row, in: facts.activity.log), !chain.nodes.isEmpty
      else { return nil }
      return ShownChain(chain: chain, title: "message", timeMs: facts.activity.log.row(row)?.timeMs)
    }
  }

  /// Answers that have a chain, newest first: turns of the voice sessions on record and messages.
  @MainActor private func answers(_ facts: ViewContext) -> [(id: AnswerID, timeMs: Int64)] {
    var found: [(id: AnswerID, timeMs: Int64)] = []
    for record in facts.voice.log.records.values where facts.scope.holds(record.guildID) {
      for turn in record.turns where turn.generation != nil || !turn.tools.isEmpty {
        found.append((.turn(session: record.sessionID, id: turn.id), turn.startedAt))
      }
    }
    var messages: Set<String> = []
    for call in facts.calls.calls(in: facts.activity.log, by: .time) {
      if case .turn? = answerID(of: call.row, facts) { continue }
      // The calls of one message are one answer.
      if let message = call.messageID, !messages.insert(message).inserted { continue }
      found.append((.row(call.row), call.timeMs))
    }
    return found.sorted { $0.timeMs > $1.timeMs }
  }

  /// Walks the answers; positive is older.
  @MainActor mutating func walkAnswers(by step: Int, _ facts: ViewContext) {
    let answers = answers(facts)
    guard !answers.isEmpty else {
      message = "no answer is on record"
      return
    }
    let current = answer ?? chainID(facts)
    var index =
      current.flatMap { id in answers.firstIndex { $0.id == id } }
      ?? selectedCall(facts).flatMap { call in
        answers.firstIndex { $0.timeMs <= call.timeMs }
      } ?? (step > 0 ? -1 : 0)
    repeat {
      index += step
      guard answers.indices.contains(index) else {
        message = step > 0 ? "no older answer" : "no newer answer"
        return
      }
    } while chain(of: answers[index].id, facts) == nil
    answer = answers[index].id
    chainScroll = 0
    // Select the matching call too, so that prompt and detail belong to the same answer.
    let rows = chain(of: answers[index].id, facts)?.chain.nodes.compactMap(\.rowID) ?? []
    let lines = callLines(facts)
    if let line = lines.first(where: { line in
      if case .row(let row) = line.id { rows.contains(row) } else { false }
    }) {
      cursor = line.id
    }
  }
}
