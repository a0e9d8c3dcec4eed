import ClankyWire
import CockpitStores
import TerminalCore
import TerminalUI

/// The question before a guild's memory or a reflection run is deleted: what goes is counted first, and a
/// word has to be typed.
package struct PartPrompt: Hashable, Sendable {
  private enum Answer: Hashable, Sendable { case cancel, delete }

  let part: MemoryPart
  private var answer = Answer.cancel
  private var typed = TextField()
  private var message: PlainText?

  /// nil in read-only mode.
  @MainActor init?(_ part: MemoryPart, on facts: ViewContext) {
    guard !facts.isReadOnly else { return nil }
    self.part = part
  }

  /// Asks the backend how much there is.
  var opening: [Effect] { [.memory(.count(part))] }

  /// How the word reads on the screen; that is what can be typed.
  private var word: PlainText { PlainText(part.word, limit: 200) }

  private var isTyped: Bool {
    let text = typed.text.trimmingSpaces
    return !text.isEmpty && (text == part.word || text == word.description)
  }

  /// The count of this part; nil while it is not known.
  @MainActor private func count(_ facts: ViewContext) -> MemoryPartCount? {
    guard facts.memory.countedPart == part, case .loaded(let count, _) = facts.memory.partCount
    else { return nil }
    return count
  }

  // MARK: Keys

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    message = nil
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): return .close
    case (.tab, _):
      answer = answer == .cancel ? .delete : .cancel
    case (.enter, _): return enter(facts)
    default:
      if typed.press(press) == .edited { answer = isTyped ? .delete : .cancel }
    }
    return .stay
  }

  mutating func paste(_ text: String) {
    typed.paste(text)
    answer = isTyped ? .delete : .cancel
  }

  @MainActor mutating func click(_ button: Int, on facts: ViewContext) -> LayerOutcome {
    let clicked = button == 0 ? Answer.cancel : .delete
    if answer == clicked { return enter(facts) }
    answer = clicked
    return .stay
  }

  @MainActor private mutating func enter(_ facts: ViewContext) -> LayerOutcome {
    if answer == .cancel, typed.text.isEmpty { return .close }
    guard let count = count(facts) else {
      message = "It is not counted yet, so it is not deleted."
      return .stay
    }
    guard isTyped, answer == .delete else {
      answer = .cancel
      message = "Type " + word + " exactly as it stands here to delete it, or Esc."
      return .stay
    }
    return .done([.memory(.deletePart(part, counted: count))])
  }

  // MARK: Drawing

  @MainActor func page(_ facts: ViewContext, width: Int) -> DialogPage {
    var page = DialogPage(
      title: isGuild ? "purge the memory of this guild?" : "delete this reflection run?",
      lines: lines(facts, width), footer: [])
    page.footer = DialogLine.wrapped(
      "Held for 30 s: " + facts.keys.text(.undo)
        + " takes it back. After that it cannot be undone.",
      to: width, .warning)
    page.footer.append(
      DialogLine(
        [
          DialogRun("Type "), DialogRun(word.cut(to: max(8, width - 30)), .text, .bold),
          DialogRun(": "),
        ]
          + typed.runs(width: min(40, max(8, width - word.columns - 8)))))
    if let message { page.footer += DialogLine.wrapped(message, to: width, .info) }
    page.footer += DialogButtons<Answer>([
      .init(.cancel, "CANCEL"), .init(.delete, isGuild ? "PURGE" : "DELETE"),
    ]).lines(focus: answer, width: width)
    return page
  }

  private var isGuild: Bool { if case .guild = part { true } else { false } }

  @MainActor private func lines(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    switch part {
    case .guild(let id, _):
      [
        DialogLine([
          DialogRun(word, .memory, .bold), DialogRun("  " + PlainText(id, limit: 40), .muted),
        ])
      ] + counted(facts, width)
    case .run(let id, let day):
      [
        DialogLine([
          DialogRun(PlainText(day ?? "-", limit: 20), .memory, .bold),
          DialogRun("  " + PlainText(id, limit: 80), .muted),
        ])
      ] + counted(facts, width)
    }
  }

  @MainActor private func counted(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    guard facts.memory.countedPart == part else {
      return DialogLine.wrapped("Asking how much there is …", to: width, .info)
    }
    switch facts.memory.partCount {
    case .none, .loading, .notServed:
      return DialogLine.wrapped("Asking how much there is …", to: width, .info)
    case .failed(let failure, _):
      return DialogLine.wrapped(
        PlainText(
          "It could not be counted, so it is not deleted. \(failure.sentence)", limit: 400),
        to: width, .negative)
    case .loaded(let count, _):
      return isGuild ? guild(count, facts, width) : run(count, width)
    }
  }

  @MainActor private func guild(
    _ count: MemoryPartCount, _ facts: ViewContext, _ width: Int
  ) -> [DialogLine] {
    guard case .guild(let id, _) = part else { return [] }
    let kept = facts.memory.facts.entries.values.count { $0.fact.guildID == id }
    var lines = DialogLine.wrapped(
      PlainText("Goes: \(count.words), counted just now."), to: width)
    lines += DialogLine.wrapped(
      "Goes too: its stored messages and voice summaries, which no route counts.", to: width)
    lines += DialogLine.wrapped(
      PlainText(
        count.staying == 0
          ? "Stays: facts that belong to no guild, as those about people and the owner's."
          : "Stays: \(count.staying) facts listed here that belong to no guild, as those about people; "
            + "and the owner's."), to: width, .muted)
    lines += DialogLine.wrapped(
      PlainText(
        kept >= count.facts
          ? "The words of the facts are written to the journal first; the messages cannot be had again."
          : "The words of \(kept) of the facts are here and are written to the journal first; the rest "
            + "cannot be had again."), to: width, kept >= count.facts ? .muted : .warning)
    return lines
  }

  private func run(_ count: MemoryPartCount, _ width: Int) -> [DialogLine] {
    guard count.runs > 0 else {
      return DialogLine.wrapped(
        "The backend does not list this run any more.", to: width, .warning)
    }
    return DialogLine.wrapped(
      "Goes: the record of this run, with what it extracted, chose and skipped.", to: width)
      + DialogLine.wrapped(
        PlainText("Stays: what it saved (\(count.staying) facts)."), to: width, .muted)
  }

  var keyLine: PlainText { "type the word, then Enter  Esc cancels" }
}
