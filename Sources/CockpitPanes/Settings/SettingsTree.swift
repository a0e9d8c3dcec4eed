import ClankyWire
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// The settings of a document by section, with the texts that the list shows and searches. Made once for each
/// document, since it looks at some 250 settings.
struct SettingsTree: Sendable {
  struct Entry: Sendable {
    var item: SettingItem
    var section: SettingSection
    /// The path without what its section says already.
    var name: PlainText
    var value: PlainText
    var standard: PlainText
    /// Path, sentences and value in lower case.
    fileprivate var searched: String
  }

  let entries: [Entry]
  /// The sections that have something, in their order.
  let sections: [SettingSection]
  let differing: Int

  init(_ settings: BotSettings) {
    entries = SettingItem.all(of: settings).map { item in
      let section = SettingSection(of: item.path)
      let value = SettingWords.value(item.value, at: item.path)
      let field = item.field
      let words = [
        item.path.description, field?.sentence ?? "", field?.remark ?? "",
        value.description, section.title,
      ]
      return Entry(
        item: item, section: section, name: Self.name(item.path, in: section),
        value: Self.short(item, item.value),
        standard: item.defaultValue.map { Self.short(item, $0) } ?? "-",
        searched: words.joined(separator: " ").lowercased())
    }
    let present = Set(entries.map(\.section))
    sections = SettingSection.allCases.filter(present.contains)
    differing = entries.count(where: \.item.differs)
  }

  /// Model bindings and policies in words; other values as JSON.
  private static func short(_ item: SettingItem, _ value: JSONValue?) -> PlainText {
    func model(_ value: JSONValue?) -> String? {
      guard let model = value?["model"]?.string, let provider = value?["provider"]?.string else {
        return nil
      }
      return "\(model) (\(provider))"
    }
    switch (item.field?.kind, value?["mode"]?.string) {
    case (.policy?, "inherit_orchestrator"?): return "as the text model"
    case (.policy?, "disabled"?): return "disabled"
    case (.policy?, _), (.binding?, _):
      let words = model(value?["model"]) ?? model(value)
      if let words { return PlainText(words, limit: 200) }
    default: break
    }
    return SettingWords.value(value, at: item.path)
  }

  private static func name(_ path: SettingPath, in section: SettingSection) -> PlainText {
    let depth = SettingSection.depth(of: path)
    guard depth > 0, path.keys.count > depth else {
      return PlainText(path.description, limit: 200)
    }
    return PlainText(SettingPath(Array(path.keys.dropFirst(depth))).description, limit: 200)
  }

  func entry(_ path: SettingPath) -> Entry? { entries.first { $0.item.path == path } }

  /// The setting that a path is, or is a part of.
  func entry(around path: SettingPath) -> Entry? {
    entries.first { path.isWithin($0.item.path) || $0.item.path.isWithin(path) }
  }

  // MARK: Rows

  /// The rows of the list.
  ///
  /// - Parameters:
  ///   - unfolded: ignored while something narrows the list; then all that is left is shown.
  ///   - words: each has to occur in path, sentences or value.
  func rows(
    unfolded: Set<SettingSection>, words: [String], isOnlyDiffering: Bool
  ) -> [SettingsRow] {
    let isNarrowed = !words.isEmpty || isOnlyDiffering
    var rows: [SettingsRow] = []
    for section in sections {
      let all = entries.filter { $0.section == section }
      let shown = all.filter { entry in
        (!isOnlyDiffering || entry.item.differs)
          && words.allSatisfy { entry.searched.contains($0) }
      }
      if isNarrowed, shown.isEmpty { continue }
      let isOpen = isNarrowed || unfolded.contains(section)
      rows.append(
        .section(
          section, count: isNarrowed ? shown.count : all.count,
          differing: shown.count(where: \.item.differs), isOpen: isOpen))
      if isOpen { rows += shown.map(SettingsRow.setting) }
    }
    return rows
  }
}

/// A row of the list.
enum SettingsRow: Sendable {
  case section(SettingSection, count: Int, differing: Int, isOpen: Bool)
  case setting(SettingsTree.Entry)
  /// Something that concerns the whole document.
  case action(SettingsAction)

  var id: SettingsItem {
    switch self {
    case .section(let section, _, _, _): .section(section)
    case .setting(let entry): .setting(entry.item.path)
    case .action(let action): .action(action)
    }
  }
}

/// What the cursor of the settings stays on.
package enum SettingsItem: Hashable, Sendable {
  case section(SettingSection)
  case setting(SettingPath)
  case action(SettingsAction)
}

/// What can be done with the whole document.
package enum SettingsAction: String, CaseIterable, Hashable, Sendable {
  case undo, apply, preset, reset

  var title: PlainText {
    switch self {
    case .undo: "TAKE BACK THE LAST SAVE"
    case .apply: "APPLY TO LIVE SESSIONS"
    case .preset: "TAKE A PRESET"
    case .reset: "RESET EVERYTHING"
    }
  }

  var sentence: PlainText {
    switch self {
    case .undo: "Writes back what was asked for before the last save from this machine."
    case .apply:
      "Tells live voice sessions the stored settings once more; needed where a save was stored and not applied."
    case .preset:
      "Takes all defaults of a family of models; permissions and channels of voice stay. Its name has to be typed."
    case .reset:
      "Takes all defaults of the first preset; permissions and channels of voice stay. The word reset has to be typed."
    }
  }
}
