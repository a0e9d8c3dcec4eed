import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The confirmation before facts are deleted. It names them; the deleting answer never has the
/// initial focus, and any other key closes the dialog.
package struct DeletePrompt: Hashable, Sendable {
  private enum Answer: Hashable, Sendable { case cancel, delete }

  /// Facts that are named; more are only counted.
  private static let named = 6

  private let facts: [Fact]
  private let names: [Int: PlainText]
  private let draftCount: Int
  /// How many belong to no guild, like facts about users, and are not the owner's.
  private let everywhere: Int
  private var answer = Answer.cancel
  /// The count, typed to confirm that all of them are meant.
  private var typed = TextField()
  private var message: PlainText?

  /// nil if there is nothing to delete: read-only, unknown ids, or all of them held already.
  @MainActor init?(_ factIDs: [Int], on facts: ViewContext) {
    guard !facts.isReadOnly else { return nil }
    let leaving = Set(
      facts.memory.deletions.filter(\.isPending).flatMap { $0.facts.compactMap(\.id) })
    var seen: Set<Int> = []
    let ids = factIDs.filter { !leaving.contains($0) && seen.insert($0).inserted }
    self.facts = ids.compactMap { facts.memory.fact($0) }
    guard !self.facts.isEmpty else { return nil }
    var names: [Int: PlainText] = [:]
    for fact in self.facts.prefix(Self.named) {
      guard let id = fact.id else { continue }
      names[id] = PlainText(facts.names.subject(fact.subject ?? ""), limit: 60)
    }
    self.names = names
    everywhere = self.facts.count { fact in
      guard fact.guildID == nil, case .guild? = facts.memory.target(of: fact) else { return false }
      return true
    }
    draftCount = self.facts.count { fact in
      fact.id.map { facts.memory.drafts[$0] != nil } ?? false
    }
  }

  private var isOne: Bool { facts.count == 1 }
  var isReadyToDelete: Bool { answer == .delete && isConfirmed }
  private var isConfirmed: Bool { isOne || typed.text == String(facts.count) }

  mutating func press(_ press: KeyPress) -> LayerOutcome {
    message = nil
    switch ButtonKey(press) {
    case .next, .previous:
      answer = answer == .cancel ? .delete : .cancel
      return .stay
    case .press: return enter()
    case .close: return .close
    case .other: break
    }
    switch (press.key, press.modifiers) {
    case (.char("y"), []) where isOne:
      answer = .delete
      message = "Enter deletes it."
      return .stay
    case (.char(let digit), []) where !isOne && digit.isASCII && digit.isNumber:
      _ = typed.press(press)
      answer = isConfirmed ? .delete : .cancel
      return .stay
    case (.backspace, []) where !isOne:
      _ = typed.press(press)
      answer = isConfirmed ? .delete : .cancel
      return .stay
    default: return .close
    }
  }

  /// A click on a button gives it the focus; one more is Enter.
  mutating func click(_ button: Int) -> LayerOutcome {
    let clicked = button == 0 ? Answer.cancel : .delete
    if answer == clicked { return press(KeyPress(.enter)) }
    answer = clicked
    message = nil
    return .stay
  }

  private mutating func enter() -> LayerOutcome {
    if answer == .cancel, isOne || typed.text.isEmpty { return .close }
    guard isConfirmed, answer == .delete else {
      message = PlainText("Type \(facts.count) to delete all of them, or Esc to delete none.")
      answer = .cancel
      return .stay
    }
    return .done([.memory(.delete(factIDs: facts.compactMap(\.id)))])
  }

  // MARK: Drawing

  func page(_ facts: ViewContext, width: Int) -> DialogPage {
    var lines: [DialogLine] = []
    for fact in self.facts.prefix(Self.named) {
      guard let id = fact.id else { continue }
      lines.append(
        DialogLine([
          DialogRun(PlainText("#\(id)  "), .number), DialogRun(names[id] ?? "", .memory),
          DialogRun("  " + PlainText(fact.factType?.rawValue ?? "", limit: 40), .muted),
        ]))
      let text = PlainText((fact.fact ?? "").collapsingWhitespace)
      let indent = 2
      lines += text.wrapped(to: max(1, width - indent), limit: isOne ? 8 : 2).map {
        DialogLine([DialogRun(.spaces(indent)), DialogRun($0)])
      }
    }
    let rest = self.facts.count - Self.named
    if rest > 0 { lines.append(DialogLine(PlainText("and \(rest) more"), .muted)) }
    if let scope = scopeWords {
      lines += DialogLine.wrapped(scope, to: width, .warning)
    }
    if draftCount > 0 {
      lines += DialogLine.wrapped(
        isOne
          ? "Your draft of it is kept until you drop it."
          : PlainText("Your drafts of them (\(draftCount)) are kept until you drop them."),
        to: width, .muted)
    }
    var page = DialogPage(title: title, lines: lines, footer: [])
    page.footer = DialogLine.wrapped(
      "Held for 30 s: " + facts.keys.text(.undo)
        + " takes it back. After that it cannot be undone.",
      to: width, .warning)
    if !isOne {
      page.footer.append(
        DialogLine(
          [
            DialogRun(PlainText("Type \(self.facts.count) to delete all of them: "))
          ] + typed.runs(width: 21)))
    }
    if let message { page.footer += DialogLine.wrapped(message, to: width, .info) }
    page.footer += DialogButtons<Answer>([.init(.cancel, "CANCEL"), .init(.delete, "DELETE")])
      .lines(focus: answer, width: width)
    return page
  }

  /// Warns that facts disappear from guilds not on screen; nil if none do.
  private var scopeWords: PlainText? {
    guard everywhere > 0 else { return nil }
    return isOne
      ? "It is about a user and belongs to no guild: it disappears from all of them."
      : PlainText(
        "\(everywhere) of them belong to no guild, as facts about users do: these disappear from all guilds."
      )
  }

  private var title: PlainText {
    isOne ? "delete this fact?" : PlainText("delete \(facts.count) facts?")
  }

  var keyLine: PlainText {
    isOne
      ? "y then Enter deletes  Esc cancels, and any other key"
      : "type the count, then Enter  Esc cancels, and any other key"
  }
}
