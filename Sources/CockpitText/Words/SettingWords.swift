import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

/// Settings in words, for screen and pipe. Secrets are masked everywhere.
package enum SettingWords {
  /// A value on one line.
  package static func value(_ value: JSONValue?, at path: SettingPath, limit: Int = 400)
    -> PlainText
  {
    guard let value else { return "not set" }
    let masked = SettingSecrecy.masked(value, at: path)
    return PlainText(masked.serialized(), limit: limit)
  }

  /// One setting of a review: what stands there, what is to stand there, and what to know about it.
  package struct Review: Hashable, Sendable {
    package var path: PlainText
    package var before: PlainText
    package var after: PlainText
    package var note: PlainText
  }

  /// The reviewed change, setting by setting.
  package static func review(_ edit: SettingsEdit, of base: BotSettings) -> [Review] {
    edit.steps.map { step in
      let item = SettingItem(base, step.path)
      return Review(
        path: PlainText(step.path.description),
        before: value(step.effective ?? step.before, at: step.path),
        after: after(step, item), note: PlainText(note(step, item)))
    }
  }

  private static func after(_ step: SettingsEdit.Step, _ item: SettingItem) -> PlainText {
    if let after = step.after { return value(after, at: step.path) }
    guard let standard = item.defaultValue else { return "the default" }
    return value(standard, at: step.path) + " (the default)"
  }

  private static func note(_ step: SettingsEdit.Step, _ item: SettingItem) -> String {
    var notes: [String] = []
    if let after = step.after {
      if let expected = item.expected(of: after) {
        let shown = value(expected, at: step.path)
        let range = item.field.map { "; it takes \($0.kind.words)" } ?? ""
        notes.append("The bot will probably store \(shown)\(range).")
      } else if let standard = item.defaultValue, standard.meansSame(as: after) {
        notes.append("This is the default, so it will follow later changes of it.")
      }
    }
    if item.field == nil {
      notes.append("Not known here: the bot drops members that it does not know.")
    }
    if let field = item.field { notes.append("Felt \(field.effect.words).") }
    return notes.joined(separator: " ")
  }

  /// What became of each setting of a save.
  package static func outcome(_ stored: SettingsStored) -> [PlainText] {
    stored.rows.map { row in
      let sent: PlainText = row.sent.map { value($0, at: row.path) } ?? "the default"
      let now = value(row.stored, at: row.path)
      let path = PlainText(row.path.description)
      return row.isOther ? path + ": sent " + sent + ", stored " + now : path + ": " + now
    }
      + stored.others.map { other in
        PlainText(other.path.description) + ": " + value(other.before, at: other.path) + " is now "
          + value(other.after, at: other.path)
      }
  }

  /// The question before a save.
  package static func question(_ edit: SettingsEdit) -> String {
    let count = edit.steps.count
    let what = count == 1 ? "this setting" : "these \(count) settings"
    return switch edit.verb {
    case .set: "Save \(what)?"
    case .undo: "Write back \(what)?"
    case .preset(let name): "Take the defaults of \(name)?"
    case .reset: "Reset all settings?"
    }
  }
}
