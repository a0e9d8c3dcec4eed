import ClankyWire
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore
import TerminalUI

extension SettingsReview {
  @MainActor func page(_ facts: ViewContext, width: Int, height: Int) -> DialogPage {
    var page = DialogPage(title: title(facts), lines: [], footer: [])
    let change = change(facts)
    if isSent {
      page.lines = outcome(change, facts, width)
    } else {
      page.lines = differences(width)
      page.footer = question(facts, width)
    }
    if let message { page.footer += DialogLine.wrapped(message, to: width, .info) }
    page.footer += buttons(facts).lines(focus: focused(facts), width: width)
    let room = max(
      1, DialogPage.room(in: Rect(width: width, height: height), footer: page.footer.count))
    let first = min(scroll, max(0, page.lines.count - room))
    page.needed = first..<first + room
    return page
  }

  @MainActor private func title(_ facts: ViewContext) -> PlainText {
    guard isSent else {
      switch edit.verb {
      case .set: return "save this setting?"
      case .undo: return "write back what stood there?"
      case .preset(let name): return "take the preset " + PlainText(name, limit: 60) + "?"
      case .reset: return "reset all settings?"
      }
    }
    switch change(facts)?.state {
    case .waiting, .checking, .sending, nil: return "saving"
    case .verifying: return "finding out"
    case .conflict: return "conflict: nothing was stored"
    case .unchanged: return "nothing to send"
    case .failed: return "not stored"
    case .unknown: return "outcome unknown"
    case .stored: return "stored"
    }
  }

  // MARK: Before it is sent

  private func differences(_ width: Int) -> [DialogLine] {
    guard !edit.isEmpty else {
      return DialogLine.wrapped(
        "The settings read like this already; nothing would be sent.", to: width, .info)
    }
    var lines: [DialogLine] = []
    if edit.isWhole {
      lines += DialogLine.wrapped(
        "What is permitted in which channels stays; everything else below goes to the defaults.",
        to: width, .warning)
    }
    let notes = SettingWords.review(edit, of: base)
    for (step, review) in zip(edit.steps, notes) {
      lines += DialogLine.wrapped(review.path, to: width, .heading)
      lines +=
        SettingDiff(
          path: step.path, before: step.effective ?? step.before, after: step.after,
          absent: ("not set", review.after), width: width
        ).lines
      if !review.note.isEmpty, !edit.isWhole {
        lines += DialogLine.wrapped(review.note, to: width, .muted)
      }
      if step.path.keys == ["agentStack", "preset"] {
        lines += DialogLine.wrapped(
          "Models that were never set follow it; those of browser, vision and own thoughts in voice do not.",
          to: width, .warning)
      }
    }
    return lines
  }

  @MainActor private func question(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    guard !edit.isEmpty else { return [] }
    let (text, role) = SettingsLiveText(facts, edit: edit).words
    var lines = DialogLine.wrapped(text, to: width, role)
    if let word {
      lines.append(
        DialogLine(
          [DialogRun(PlainText("Type \(word) to do it: ", limit: 120))]
            + typed.runs(width: 30)))
    }
    return lines
  }

  // MARK: After it was sent

  @MainActor private func outcome(
    _ change: SettingsChange?, _ facts: ViewContext, _ width: Int
  ) -> [DialogLine] {
    guard let change else {
      return DialogLine.wrapped("The save is about to begin.", to: width, .info)
    }
    var lines = DialogLine.wrapped(
      PlainText(change.sentence, limit: 600), to: width, Self.role(change))
    if let problem = facts.settings.diskProblem {
      lines += DialogLine.wrapped(PlainText(problem, limit: 300), to: width, .warning)
    }
    lines.append(DialogLine())
    switch change.state {
    case .stored(let stored): lines += self.stored(stored, width)
    case .conflict(let paths): lines += conflict(paths, change, width)
    case .unknown: lines += reread(change, facts, width) + sent(width)
    default: lines += sent(width)
    }
    return lines
  }

  private static func role(_ change: SettingsChange) -> Role {
    switch change.state {
    case .waiting, .checking, .sending: .info
    case .verifying, .conflict, .unknown: .warning
    case .unchanged: .info
    case .failed: .negative
    case .stored(let stored): stored.isExact && stored.isApplied ? .positive : .warning
    }
  }

  /// The change again, for states in which it has no counterpart yet.
  private func sent(_ width: Int) -> [DialogLine] {
    edit.steps.flatMap { step in
      DialogLine.wrapped(PlainText(step.path.description), to: width, .heading)
        + SettingDiff(
          path: step.path, before: step.effective ?? step.before, after: step.after, width: width
        ).lines
    }
  }

  /// What the bot stored, beside what was sent where that is something else.
  private func stored(_ stored: SettingsStored, _ width: Int) -> [DialogLine] {
    var lines: [DialogLine] = []
    for row in stored.rows {
      lines += DialogLine.wrapped(PlainText(row.path.description), to: width, .heading)
      func value(_ label: PlainText, _ value: JSONValue?, _ absent: PlainText, _ role: Role) {
        let text = value.map { SettingWords.value($0, at: row.path, limit: 2000) } ?? absent
        for (index, part) in text.wrapped(to: max(8, width - 9), limit: 12).enumerated() {
          lines.append(
            DialogLine([
              DialogRun((index == 0 ? label : "").padded(to: 9), .muted), DialogRun(part, role),
            ]))
        }
      }
      value("was", row.before, "not set", .muted)
      if row.isOther { value("sent", row.sent, "the default", .warning) }
      value(
        "stored", row.stored, "not there: the bot dropped it", row.isOther ? .warning : .positive)
    }
    guard !stored.others.isEmpty else { return lines }
    lines.append(DialogLine())
    lines.append(DialogLine("changed with it:", .muted))
    for other in stored.others {
      lines += DialogLine.wrapped(PlainText(other.path.description), to: width, .heading)
      lines +=
        SettingDiff(
          path: other.path, before: other.before, after: other.after,
          absent: ("not set", "not set"), width: width
        ).lines
    }
    return lines
  }

  /// Theirs and mine.
  private func conflict(
    _ paths: [SettingPath], _ change: SettingsChange, _ width: Int
  ) -> [DialogLine] {
    var lines: [DialogLine] = []
    for path in paths.prefix(20) where !path.keys.isEmpty {
      lines += DialogLine.wrapped(PlainText(path.description), to: width, .heading)
      let mine = edit.steps.first { $0.path == path }
      let rows: [(PlainText, JSONValue?, PlainText, Role)] =
        [
          ("you saw", base.effective.value(at: path), "not set", Role.muted),
          ("theirs", change.latest?.effective.value(at: path), "not set", .warning),
        ] + (mine.map { [("yours", $0.after, "the default", .positive)] } ?? [])
      for (label, value, absent, role) in rows {
        let text = value.map { SettingWords.value($0, at: path, limit: 2000) } ?? absent
        for (index, part) in text.wrapped(to: max(8, width - 9), limit: 8).enumerated() {
          lines.append(
            DialogLine([
              DialogRun((index == 0 ? label : "").padded(to: 9), .muted), DialogRun(part, role),
            ]))
        }
      }
    }
    let advice: PlainText =
      edit.isWhole
      ? "It rests on the whole document, so it has to be begun again with what is there now."
      : form != nil
        ? "EDIT ON keeps what you typed and takes theirs as the new start; SEND MINE ANYWAY replaces theirs."
        : "SEND MINE ANYWAY replaces theirs."
    return lines + [DialogLine()] + DialogLine.wrapped(advice, to: width, .muted)
  }

  /// What the settings say after an unknown outcome.
  @MainActor private func reread(
    _ change: SettingsChange, _ facts: ViewContext, _ width: Int
  ) -> [DialogLine] {
    guard isReadingAgain else {
      return DialogLine.wrapped(
        "r reads the settings again; that sends nothing.", to: width) + [DialogLine()]
    }
    guard case .loaded(let now, _) = facts.settings.document else {
      return facts.settings.document.isLoading
        ? [DialogLine("Reading them again …", .info)]
        : DialogLine.wrapped("They could not be read; r asks again.", to: width, .warning)
    }
    let isThere = edit.steps.allSatisfy { step in
      step.after.meansSame(as: now.intent.value(at: step.path))
    }
    let isOld = edit.steps.allSatisfy { step in
      step.before.meansSame(as: now.intent.value(at: step.path))
    }
    let text: PlainText =
      isThere
      ? "They were read again and say what was sent."
      : isOld
        ? "They were read again and say what they said before; the save may yet arrive late."
        : "They were read again and say something else."
    return DialogLine.wrapped(text, to: width, isThere ? .positive : .warning) + [DialogLine()]
  }

  @MainActor func keyLine(_ facts: ViewContext) -> PlainText {
    if isSent {
      let canRead = buttons(facts).buttons.contains { $0.action == .readAgain }
      return (canRead ? "r reads again  " : "")
        + "Left Right choose  Enter does it  j k scroll  Esc closes"
    }
    if word != nil { return "type the word, then Enter  Down Up scroll  Esc does nothing" }
    return form == nil
      ? "y sends  Esc cancels  Left Right choose  Enter does it  j k scroll"
      : "y sends  Esc goes back to the form  Left Right choose  Enter does it  j k scroll"
  }
}
