/// How far a written message has come on its way to an answer.
struct AnswerChain: Sendable {
  /// The row that let it in.
  var row: RuleRow
  private var last: Citation
  private var failure: RuleRow?
  private var isCalled = false

  init(_ row: RuleRow) {
    self.row = row
    last = row.cite
  }

  mutating func pass(_ row: RuleRow) {
    last = row.cite
    if row.name == "llm_call" { isCalled = true }
  }

  mutating func fail(_ row: RuleRow) { failure = row }

  var hasFailed: Bool { failure != nil }

  /// Whether a failed call may be one for this message: it names none (contract 4.4), so that person and channel
  /// tell.
  func mayOwn(_ failure: RuleRow) -> Bool {
    row.channelID == failure.channelID && row.userID == failure.userID
  }

  /// Its first row, its last one, and what failed.
  var evidence: [Citation] {
    var rows = [row.cite]
    if last != row.cite { rows.append(last) }
    if let failure { rows.append(failure.cite) }
    return rows
  }

  var cause: String {
    if let failure {
      return "as it seems the model call failed: \(RuleWords.quoted(failure.content) ?? "no text")"
    }
    if isCalled { return "the answer was generated and not sent" }
    if last.name == "reply_pipeline_gate" { return "the model was never called" }
    return "it went no further than its admission"
  }
}
