package import LenientJSON
package import ClankyWire

/// One setting of a bot: what is in effect, what was asked for, and what is known about it.
package struct SettingItem: Hashable, Sendable {
  package var path: SettingPath
  /// In effect; nil where it is not set, or is one that the backend dropped.
  package var value: JSONValue?
  /// As it was asked for; nil is the default.
  package var asked: JSONValue?
  /// nil if it is not known here, or is the preset's.
  package var defaultValue: JSONValue?
  /// nil for a setting that this program does not know: it can be edited as JSON.
  package var field: SettingField?

  /// Whether it differs from its default, as the backend says.
  package var differs: Bool { asked != nil }

  /// Every setting: known ones that are objects, such as a policy, as one, everything else leaf by
  /// leaf.
  package static func all(of settings: BotSettings) -> [SettingItem] {
    let known = SettingCatalogue.known
    var paths: [SettingPath] = []
    var seen: Set<SettingPath> = []
    func add(_ path: SettingPath) {
      if seen.insert(path).inserted { paths.append(path) }
    }
    for leaf in settings.effective.settings + settings.intent.settings {
      add(known.field(around: leaf.path)?.path ?? leaf.path)
    }
    for field in known.fields
    where field.isOptional && (field.onlyIn == nil || field.onlyIn == settings.dialect) {
      add(field.path)
    }
    return inSections(paths).map { SettingItem(settings, $0) }
  }

  package init(_ settings: BotSettings, _ path: SettingPath) {
    self.path = path
    value = settings.effective.value(at: path)
    asked = settings.intent.value(at: path)
    field = SettingCatalogue.known.field(around: path)
    defaultValue = SettingCatalogue.known.defaultValue(
      at: path, in: settings.dialect, preset: settings.preset)
  }

  /// Sections together, each where it came first.
  private static func inSections(_ paths: [SettingPath]) -> [SettingPath] {
    var places: [[String]: Int] = [:]
    for path in paths {
      for count in 1...path.keys.count {
        let key = Array(path.keys.prefix(count))
        if places[key] == nil { places[key] = places.count }
      }
    }
    func key(_ path: SettingPath) -> [Int] {
      (1...path.keys.count).map { places[Array(path.keys.prefix($0))] ?? 0 }
    }
    return paths.map { (key($0), $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }

  /// Whether every word occurs in its path or in what it does, whatever their case.
  package func matches(_ words: [String]) -> Bool {
    let text = "\(path) \(field?.sentence ?? "") \(field?.remark ?? "")".lowercased()
    return words.allSatisfy { text.contains($0.lowercased()) }
  }

  /// The value that a typed text means: by its type, or as JSON where none is known.
  package func value(typed text: String) throws(SettingValueProblem) -> JSONValue {
    if let field, field.path == path { return try field.kind.value(typed: text) }
    do throws(JSONError) {
      return try JSONValue.parse(text)
    } catch {
      throw SettingValueProblem("Its type is not known here, so it takes JSON; this is \(error).")
    }
  }

  /// What an editor begins with.
  package var editableText: String {
    let value = asked ?? value ?? defaultValue
    guard let value else { return "" }
    if case .string(let text) = value, let field, field.path == path, case .text = field.kind {
      return text
    }
    return value.serialized(pretty: true)
  }

  /// The value that the backend is expected to store, if that is another one.
  package func expected(of value: JSONValue) -> JSONValue? {
    guard let field, field.path == path,
      let expected = field.kind.expected(value, default: defaultValue),
      !expected.meansSame(as: value)
    else { return nil }
    return expected
  }
}

extension BotSettings {
  /// The family of defaults in use.
  package var preset: String? {
    effective.value(at: SettingPath(["agentStack", "preset"]))?.string
  }
}
