import LenientJSON

/// The settings that are known, from the tables beside this file.
package struct SettingCatalogue: Sendable {
  /// In the order of the tables, which is that of the backend's own document as far as it matters.
  package let fields: [SettingField]
  private let byPath: [SettingPath: Int]

  /// The settings of both known releases.
  package static let known = SettingCatalogue(
    tables: [talkingTable, modelTable, voiceTable, initiativeTable])

  /// The field of exactly this path.
  package subscript(path: SettingPath) -> SettingField? { byPath[path].map { fields[$0] } }

  /// The field that this path is, or is a part of, as `initiative.voice.execution.mode` is of
  /// `initiative.voice.execution`.
  package func field(around path: SettingPath) -> SettingField? {
    var path: SettingPath? = path
    while let current = path {
      if let field = self[current] { return field }
      path = current.parent
    }
    return nil
  }

  /// The default of a path, also of a part of a field.
  package func defaultValue(
    at path: SettingPath, in dialect: BackendDialect?, preset: String?
  ) -> JSONValue? {
    guard let field = field(around: path) else { return nil }
    var value = field.defaultValue(in: dialect, preset: preset)
    for key in path.keys.dropFirst(field.path.keys.count) { value = value?[key] }
    return value
  }

  // MARK: Reading the tables

  /// A table has a head for each field, `path: type; member; …; effect`, which goes on in lines that
  /// are indented by four; then sentences, indented by two, and remarks, which begin with a bar.
  init(tables: [String]) {
    var fields: [SettingField] = []
    for table in tables {
      var head = ""
      var sentence: [Substring] = []
      var remark: [Substring] = []
      func finish() {
        if var field = SettingField(head: head) {
          field.sentence = sentence.joined(separator: " ")
          field.remark = remark.joined(separator: " ")
          fields.append(field)
        }
        (head, sentence, remark) = ("", [], [])
      }
      for line in table.split(separator: "\n") {
        if line.hasPrefix("    ") {
          head += " " + line.dropFirst(4)
        } else if line.hasPrefix("  | ") {
          remark.append(line.dropFirst(4))
        } else if line.hasPrefix("  ") {
          sentence.append(line.dropFirst(2))
        } else {
          finish()
          head = String(line)
        }
      }
      finish()
    }
    self.fields = fields
    byPath = Dictionary(
      fields.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension SettingField {
  /// nil if the head is no field.
  fileprivate init?(head: String) {
    guard let colon = head.firstRange(of: ": "),
      let path = SettingPath(String(head[..<colon.lowerBound]))
    else { return nil }
    var parts = head[colon.upperBound...].split(separator: ";").map { part in
      String(part.drop { $0 == " " })
    }
    guard !parts.isEmpty, let kind = SettingKind(parts.removeFirst()) else { return nil }
    self.init(path: path, kind: kind)
    for part in parts {
      switch part {
      case "optional": isOptional = true
      case "follows preset": followsPreset = true
      case "March only": onlyIn = .march
      case "May only": onlyIn = .may
      case _ where part.hasPrefix("= "):
        defaultValue = try? JSONValue.parse(String(part.dropFirst(2)))
      case _ where part.hasPrefix("March = "):
        marchDefault = try? JSONValue.parse(String(part.dropFirst(8)))
      default:
        guard let effect = Effect(rawValue: part) else { return nil }
        self.effect = effect
      }
    }
  }
}
