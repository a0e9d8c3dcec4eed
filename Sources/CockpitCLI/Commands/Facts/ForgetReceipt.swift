import ClankyWire
import CockpitHistory
import CockpitSession
import CockpitShell
import CockpitText
import LenientJSON
import TerminalCore

/// What came of forgetting a person.
struct ForgetReceipt {
  /// As they were asked for.
  var person: String
  /// As the recording knew them.
  var known: HistoryForget.Person?
  /// Facts by their numbers: deleted now, gone before, not deleted and why.
  var deleted: [Int] = []
  var goneAlready: [Int] = []
  var problems: [Int: String] = [:]
  /// Facts about them that a new list still has, and facts of others that name them.
  var left: [Int] = []
  var mentions: [Int] = []
  /// Whether the backend listed all facts; it lists 500 of one subject at most.
  var isListWhole = false
  /// Why the facts could not be listed again.
  var notReadAgain: String?
  var hasRecording = false
  /// What the recorder's purge says.
  var recorded: [HistoryForget.Receipt] = []

  var isClean: Bool {
    problems.isEmpty && left.isEmpty && isListWhole && notReadAgain == nil
      && recorded.allSatisfy(\.isClean)
  }
}

/// Writes it.
@MainActor
struct ForgetReceiptText {
  var output: Output
  var json: Bool
  var session: FactsSession

  private static func numbers(_ ids: [Int]) -> PlainText {
    let shown = ids.prefix(20).map(String.init).joined(separator: ", ")
    return PlainText(ids.count > 20 ? shown + " …" : shown)
  }

  // MARK: before

  func writePlan(_ receipt: ForgetReceipt, _ facts: [Fact]) {
    guard !json else {
      var object = JSONObjectWriter()
      object.value("facts", .array(facts.compactMap(\.id).map { .integer($0) }))
      object.value("facts_mentioning", .array(receipt.mentions.map { .integer($0) }))
      object.bool("in_recording", receipt.known != nil)
      return output.line(object.finish())
    }
    for line in plan(receipt, facts) { output.line(line) }
    output.line(
      "nothing was changed; facts forget "
        + PlainText(ShellWords.quoted(receipt.person), limit: 200)
        + " --count \(facts.count) does it")
  }

  /// Who and what is meant, before it is done.
  func remark(_ receipt: ForgetReceipt, _ facts: [Fact]) {
    for line in plan(receipt, facts) { output.remark(line) }
    if let known = receipt.known { ForgetText(output: output, json: false).remark(known) }
  }

  private func plan(_ receipt: ForgetReceipt, _ facts: [Fact]) -> [PlainText] {
    var lines: [PlainText] = [
      PlainText(FactsForgetCommand.facts(facts.count)) + " about "
        + PlainText(receipt.person, limit: 100) + (facts.isEmpty ? "" : ":")
    ]
    lines += facts.prefix(50).map { "  " + FactsText(session).title($0) }
    if facts.count > 50 { lines.append("  and " + Figures.count(facts.count - 50) + " more") }
    lines.append(
      Figures.count(receipt.mentions.count) + " facts of others name them and stay"
        + (receipt.mentions.isEmpty ? "" : ": " + Self.numbers(receipt.mentions)))
    lines.append(
      receipt.known == nil
        ? "nothing that was recorded on this machine names them"
        : "the recording names them: it is cleared too")
    return lines
  }

  // MARK: afterwards

  func write(_ receipt: ForgetReceipt) {
    guard !json else { return output.line(Self.json(receipt)) }
    output.line(
      PlainText(FactsForgetCommand.facts(receipt.deleted.count)) + " deleted"
        + (receipt.goneAlready.isEmpty
          ? "" : ", " + Figures.count(receipt.goneAlready.count) + " were gone already"))
    for (id, problem) in receipt.problems.sorted(by: { $0.key < $1.key }) {
      output.line("  ! fact \(id) is not deleted: " + PlainText(problem, limit: 300))
    }
    if let why = receipt.notReadAgain {
      output.line("  ! the facts could not be listed again: " + PlainText(why, limit: 300))
    } else if !receipt.left.isEmpty {
      output.line("  ! left: facts " + Self.numbers(receipt.left))
    } else if receipt.isListWhole {
      output.line("  listed again: no fact is about them")
    } else {
      output.line(
        "  ! listed again: no fact about them is in the list, which is not whole (the backend lists 500 of one subject)"
      )
    }
    if !receipt.mentions.isEmpty, receipt.notReadAgain == nil {
      output.line(
        "  " + Figures.count(receipt.mentions.count) + " facts of others name them and stay: "
          + Self.numbers(receipt.mentions))
    }
    for recorded in receipt.recorded {
      ForgetText(output: output, json: false, hasDeletedFacts: true).write(recorded)
    }
    if receipt.recorded.isEmpty {
      output.line(
        receipt.hasRecording
          ? "the recording on this machine: searched, nothing names them"
          : "there is no recording of this bot on this machine")
      output.line("what this cannot reach:")
      output.line("  " + ForgetText.ofBot)
      output.line(
        "  the journal of MEMORY (`facts journal`), which keeps the words of deleted facts")
    }
  }

  private static func json(_ receipt: ForgetReceipt) -> [UInt8] {
    func list(_ ids: [Int]) -> JSONValue { .array(ids.map { .integer($0) }) }
    var object = JSONObjectWriter()
    object.string("person", receipt.person)
    object.value("facts_deleted", list(receipt.deleted))
    object.value("facts_gone_already", list(receipt.goneAlready))
    object.value(
      "facts_not_deleted",
      .body(
        receipt.problems.sorted { $0.key < $1.key }.map { ("\($0.key)", .string($0.value)) }))
    object.value("facts_left", receipt.notReadAgain == nil ? list(receipt.left) : .null)
    object.value("facts_mentioning", list(receipt.mentions))
    object.bool("list_whole", receipt.isListWhole)
    object.string("not_read_again", receipt.notReadAgain)
    object.value(
      "recording",
      .array(receipt.recorded.compactMap { try? JSONValue.parse(ForgetText.json($0)) }))
    object.bool("clean", receipt.isClean)
    return object.finish()
  }
}
