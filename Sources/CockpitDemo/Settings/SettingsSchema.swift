/// Every setting of the bot: where it stands, what is made of a value, and its default. In the order
/// of the tables, which is not the order of the document.
struct SettingsSchema: Sendable {
  struct Member: Sendable {
    var path: [String]
    var rule: SettingsRule
    /// nil: absent until it is set.
    var initial: DemoJSON?
  }

  private(set) var members: [Member] = []
  /// The sections, and whether each has sections of its own.
  private(set) var sections: [[String]: Bool] = [:]

  static let may = SettingsSchema(.may)
  static let march = SettingsSchema(.march)

  static func of(_ dialect: DemoDialect) -> SettingsSchema { dialect == .may ? may : march }

  /// A line is `path | rule | default | default of March | release`, and goes on in indented lines.
  private init(_ dialect: DemoDialect) {
    var lines: [String] = []
    for line in [Self.conduct, Self.models, Self.voice].joined(separator: "\n").split(
      separator: "\n")
    {
      if line.hasPrefix("  "), let last = lines.indices.last {
        lines[last] += " " + line.trimmingSpace
      } else {
        lines.append(String(line))
      }
    }
    for line in lines {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(\.trimmingSpace)
      guard cells.count >= 3, let rule = SettingsRule(cells[1]) else { continue }
      let release = cells.count > 4 ? cells[4] : ""
      guard release.isEmpty || release == (dialect == .may ? "Y" : "M") else { continue }
      let march = cells.count > 3 && dialect == .march ? cells[3] : ""
      let initial =
        cells[2] == "?" ? nil : try? DemoJSON.parse((march.isEmpty ? cells[2] : march).utf8)
      members.append(
        Member(path: cells[0].split(separator: ".").map(String.init), rule: rule, initial: initial))
    }
    for member in members {
      for count in 1..<max(1, member.path.count) {
        let section = Array(member.path.prefix(count))
        sections[section] = sections[section] == true || member.path.count > count + 1
      }
    }
  }
}
