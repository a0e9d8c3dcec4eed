import ClankyWire
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore
import TerminalUI

/// Two values of a setting, line by line, with the words that differ. Secrets are masked.
struct SettingDiff {
  let path: SettingPath
  let before: JSONValue?
  let after: JSONValue?
  /// What stands there where a side has no value.
  var absent: (before: PlainText, after: PlainText) = ("not set", "the default")
  let width: Int

  /// Lines that stay the same and are shown around a difference.
  private static let context = 1

  var lines: [DialogLine] {
    guard let before, let after else {
      return side("- ", before, absent.before, .negative)
        + side("+ ", after, absent.after, .positive)
    }
    let old = text(before)
    let new = text(after)
    // Half a number says nothing.
    guard isText(before), isText(after) else {
      return side("- ", before, "", .negative) + side("+ ", after, "", .positive)
    }
    let diff = WordDiff(old: old, new: new)
    var lines: [DialogLine] = []
    for hunk in diff.hunks {
      let changed = hunk.lines.indices.filter { index in
        if case .same = hunk.lines[index] { false } else { true }
      }
      for (index, line) in hunk.lines.enumerated() {
        switch line {
        case .same(let text):
          guard changed.contains(where: { abs($0 - index) <= Self.context }) else { continue }
          lines += wrapped([WordDiff.Run(text, isChanged: false)], "  ", .muted)
        case .removed(let runs): lines += wrapped(runs, "- ", .negative)
        case .added(let runs): lines += wrapped(runs, "+ ", .positive)
        }
      }
    }
    return lines
  }

  private func isText(_ value: JSONValue) -> Bool {
    switch value {
    case .string, .array, .object: true
    case .null, .bool, .number: false
    }
  }

  private func text(_ value: JSONValue) -> String {
    let masked = SettingSecrecy.masked(value, at: path)
    switch masked {
    case .string(let text) where !text.isEmpty: return text
    case .array(let elements) where !elements.isEmpty && elements.allSatisfy({ $0.string != nil }):
      return elements.compactMap(\.string).joined(separator: "\n")
    default: return masked.serialized(pretty: true)
    }
  }

  private func side(
    _ mark: PlainText, _ value: JSONValue?, _ absent: PlainText, _ role: Role
  ) -> [DialogLine] {
    let shown = value.map { SettingWords.value($0, at: path, limit: 4000) } ?? absent
    return shown.wrapped(to: max(1, width - 2), limit: 30).enumerated().map { index, line in
      DialogLine([DialogRun(index == 0 ? mark : "  ", role, .bold), DialogRun(line, role)])
    }
  }

  private func wrapped(_ runs: [WordDiff.Run], _ mark: PlainText, _ role: Role) -> [DialogLine] {
    DiffText.lines(runs, width: max(1, width - 2), role: role).enumerated().map { index, line in
      DialogLine([DialogRun(index == 0 ? mark : "  ", role, .bold)] + line)
    }
  }
}
