import ClankyWire
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// What is known about the row under the cursor.
@MainActor
struct SettingDetail {
  let row: SettingsRow
  let settings: BotSettings
  let tree: SettingsTree?
  let facts: ViewContext
  let width: Int

  private static let labelWidth = 8

  var lines: [VoiceLine] {
    switch row {
    case .section(let section, _, _, _): self.section(section)
    case .setting(let entry): setting(entry)
    case .action(let action): text(action.sentence)
    }
  }

  private func text(_ text: PlainText, _ role: Role = .text, limit: Int = 20) -> [VoiceLine] {
    text.wrapped(to: max(1, width), limit: limit).map {
      VoiceLine([.init(text: $0, role: role)])
    }
  }

  private func labelled(_ label: PlainText, _ value: PlainText, _ role: Role = .text, limit: Int)
    -> [VoiceLine]
  {
    VoiceLine.wrapped(
      label, value, role, width: width, limit: limit, labelWidth: Self.labelWidth)
  }

  // MARK: A section

  private func section(_ section: SettingSection) -> [VoiceLine] {
    var lines = text(PlainText(section.sentence))
    let differing = (tree?.entries ?? []).filter { $0.section == section && $0.item.differs }
    guard !differing.isEmpty else {
      return lines + text("Nothing in it differs from the defaults.", .muted)
    }
    lines += text(
      PlainText(
        differing.count == 1
          ? "1 setting differs from its default:"
          : "\(differing.count) settings differ from their defaults:"), .muted)
    for entry in differing {
      lines.append(
        VoiceLine([
          .init(text: "*", role: .warning, attributes: .bold),
          .init(text: entry.name.cut(to: max(8, width * 6 / 10))),
          .init(text: entry.value, role: .muted),
        ]))
    }
    return lines
  }

  // MARK: A setting

  private func setting(_ entry: SettingsTree.Entry) -> [VoiceLine] {
    let item = entry.item
    let path = item.path
    var lines = text(PlainText(path.description), .heading)
    if let field = item.field, !field.sentence.isEmpty { lines += text(PlainText(field.sentence)) }
    let value = SettingWords.value(item.value, at: path, limit: 2000)
    lines += labelled("value", value, item.differs ? .warning : .text, limit: 8)
    if let standard = item.defaultValue {
      lines += labelled(
        "default", SettingWords.value(standard, at: path, limit: 600),
        .muted, limit: 3)
    } else {
      let words: PlainText =
        item.field?.followsPreset == true
        ? "the preset's" : item.differs ? "another one, not known here" : "this one"
      lines += labelled("default", words, .muted, limit: 2)
    }
    if let draft = facts.settings.drafts[path] {
      lines += labelled(
        "draft",
        "typed " + facts.clock.monthDay(ms: draft.atMs) + " " + facts.clock.time(ms: draft.atMs)
          + " and not saved; " + facts.keys.text(.edit) + " goes on with it", .warning, limit: 3)
    }
    if let asked = item.asked, let value = item.value, !asked.meansSame(as: value) {
      lines += labelled(
        "asked",
        SettingWords.value(asked, at: path, limit: 600) + ", of which the bot made the value above",
        .warning, limit: 3)
    }
    guard let field = item.field else {
      return lines
        + text(
          "Not known here: its type and meaning are of another release. It takes JSON.", .muted)
    }
    lines += labelled("takes", PlainText(field.kind.words), .muted, limit: 4)
    lines += labelled("felt", PlainText(field.effect.words), .muted, limit: 3)
    if !field.remark.isEmpty {
      lines += labelled("note", PlainText(field.remark), .muted, limit: 4)
    }
    if field.followsPreset, !item.differs, let preset = settings.preset {
      lines += labelled("from", PlainText("preset \(preset)"), .muted, limit: 2)
    }
    return lines
  }
}
