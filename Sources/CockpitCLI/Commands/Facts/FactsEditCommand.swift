import CockpitSession
import ArgumentParser
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

/// `facts edit`: corrects one fact.
struct FactsEditCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Correct a fact.",
    usage: "clanky-cockpit facts edit ID [--fact T] [--confidence C] [OPTIONS]",
    discussion: """
      What is not named stays as it is. Without --fact, --type, --confidence, --subject or \
      --evidence the fact opens in $VISUAL or $EDITOR, and you are asked before it is sent.

      The fact is read again first. If somebody changed it meanwhile nothing is sent and both texts \
      are shown. Exits with 0 only when the backend confirmed exactly the new text, with 2 when the \
      text would be cut. Once the fact has been read, what is not stored is kept as a draft, which \
      the cockpit shows.
      """)

  @OptionGroup var options: FactsOptions

  @Argument(help: ArgumentHelp("The fact's number.", valueName: "ID"))
  var id: FactID

  @OptionGroup var fields: FactFieldsOptions

  @Flag(help: "Print the stored fact as one JSON object.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try FactsSession.permitWriting(settings, options)
    guard !fields.isEmpty || environment.isAttended else {
      throw Failure(
        .usage,
        "say what to change, such as --fact 'new text'; an editor can only be opened on a terminal"
      )
    }
    let session = try await FactsSession(settings, takesOwnerPrivate: options.ownerPrivate)
    let base: Fact
    do {
      try await session.load()
      base = try session.fact(id.value)
    } catch {
      if !sayDraft(session), !fields.isEmpty {
        // A draft needs its base fact, which is unknown here.
        environment.output.complain("Nothing was sent, and no draft is kept.")
      }
      throw error
    }
    guard let target = session.store.target(of: base),
      let edit = FactEdit(editing: base, target: target)
    else {
      throw Failure(.usage, "no guild is known for fact \(id.value); name one with --guild")
    }
    let draft: FactDraft
    if fields.isEmpty {
      draft = try await FactsEditor(session).draft(of: base, edit)
    } else {
      let edit = fields.applied(to: edit)
      draft = FactDraft(
        edit: edit, confidenceText: fields.confidence ?? base.confidence.map { "\($0)" } ?? "",
        base: base, changedAtMs: session.nowMs)
    }
    if let problem = draft.edit.problems.first { throw Failure(.usage, problem.description) }
    try report(try await session.send(draft), session)
  }

  /// Prints the draft that an earlier edit has left of the fact; false when there is none.
  @MainActor private func sayDraft(_ session: FactsSession) -> Bool {
    guard let draft = session.store.drafts[id.value] else { return false }
    session.output.complain(
      "Nothing was sent. A draft of fact \(id.value) is kept from before; the cockpit shows it.")
    if session.isHidden(draft.base) {
      session.output.complain(
        "It is of one of the owner's private facts; add --owner-private to read it.")
    } else {
      for line in FactsText(session).content(draft.edit) { session.output.remark("~" + line) }
    }
    return true
  }

  @MainActor private func report(_ change: FactChange, _ session: FactsSession) throws {
    let text = FactsText(session)
    switch change.state {
    case .stored(let fact, _):
      if json { session.output.line(session.record(fact).json) }
      guard !change.isStoredExactly else {
        session.output.complain(change.wasSent ? "Fact \(id.value) is changed." : change.sentence)
        return
      }
      show(session, "stored", text.content(fact), "yours", text.content(change.draft.edit))
      throw Failure(.failed, change.sentence)
    case .conflict(let theirs):
      show(session, "theirs", text.content(theirs), "yours", text.content(change.draft.edit))
      throw Failure(
        .failed, change.sentence + " Run the command again to send yours in place of theirs.")
    case .failed:
      throw Failure(Failure.Code(change.failure, wasSent: change.wasSent), change.sentence)
    case .gone, .refused, .unknown, .waiting, .checking, .sending, .verifying:
      throw Failure(.failed, change.sentence)
    }
  }

  @MainActor private func show(
    _ session: FactsSession, _ first: PlainText, _ content: [PlainText], _ second: PlainText,
    _ other: [PlainText]
  ) {
    for line in [first + ":"] + content + [second + ":"] + other { session.output.remark(line) }
  }
}

/// The members of a fact that can be changed, as options.
struct FactFieldsOptions: ParsableArguments {
  // A text may begin with a dash.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The fact, 400 characters at most.", valueName: "T"))
  var fact: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Its type, such as preference, profile, other.", valueName: "T"))
  var type: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How sure it is: 0 to 1, or 0% to 100%.", valueName: "C"))
  var confidence: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Whom it is about: a user id, self (__self__) or lore (__lore__).", valueName: "S"))
  var subject: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The words it rests on, 240 characters at most.", valueName: "T"))
  var evidence: String?

  var isEmpty: Bool {
    fact == nil && type == nil && confidence == nil && subject == nil && evidence == nil
  }

  /// Rejects what the backend would reject or cut, before any request.
  func validate() throws {
    // The backend would make `other` of it.
    if let type, type.allSatisfy(\.isWhitespace) {
      throw ValidationError("the type must not be empty; without --type it stays as it is")
    }
    let blank = FactEdit(
      factID: 1, target: .guild("any"), subject: "any", fact: "any", confidence: 0)
    if let problem = applied(to: blank).problems.first {
      throw ValidationError(problem.description)
    }
  }

  func applied(to edit: FactEdit) -> FactEdit {
    var edit = edit
    if let fact { edit.fact = fact.keepingReservedCharacters }
    if let type { edit.factType = type.keepingReservedCharacters }
    if let confidence { edit.confidence = Self.number(confidence) }
    if let subject { edit.subject = Self.subject(subject.keepingReservedCharacters) }
    if let evidence { edit.evidenceText = evidence.keepingReservedCharacters }
    return edit
  }

  /// `self` and `lore` mean the same as for `facts list`.
  private static func subject(_ text: String) -> String {
    switch text.lowercased() {
    case "self": FactSubject.bot.rawValue
    case "lore": FactSubject.lore.rawValue
    default: text
    }
  }

  /// A decimal number or a percentage; nil for everything else, `nan` and `0x1` included.
  static func number(_ text: String) -> Double? {
    let text = text.trimmingCharacters(in: .whitespaces)
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? text.dropLast() : text[...]
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }),
      let value = Double(digits)
    else { return nil }
    return isPercent ? value / 100 : value
  }
}
