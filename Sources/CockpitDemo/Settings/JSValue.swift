/// Conversions as JavaScript makes them.
enum JSValue {
  /// nil: the default.
  static func bool(_ value: DemoJSON) -> Bool? {
    switch value {
    case .bool(let bool): return bool
    case .null: return false
    case .int(let int): return int != 0
    case .double(let double): return double != 0
    case .string, .units:
      switch (value.stringValue ?? "").trimmingSpace.lowercased() {
      case "": return nil
      case "true", "1", "yes", "on": return true
      case "false", "0", "no", "off": return false
      default: return true
      }
    case .array, .object, .raw: return true
    }
  }

  /// nil: the default.
  static func number(_ value: DemoJSON) -> Double? {
    switch value {
    case .int(let int): return Double(int)
    case .double(let double): return double.isFinite ? double : nil
    case .bool(let bool): return bool ? 1 : 0
    case .null: return 0
    case .string, .units:
      let text = (value.stringValue ?? "").trimmingSpace
      if text.isEmpty { return 0 }
      if text.lowercased().hasPrefix("0x") {
        return Int(text.dropFirst(2), radix: 16).map(Double.init)
      }
      guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
        let number = Double(text),
        number.isFinite
      else { return nil }
      return number
    case .array(let elements):
      if elements.isEmpty { return 0 }
      return elements.count == 1 ? number(elements[0]) : nil
    case .object, .raw: return nil
    }
  }

  static func text(_ value: DemoJSON) -> String {
    switch value {
    case .string, .units: value.stringValue ?? ""
    case .int(let int): String(int)
    case .double(let double): JSNumber.text(double)
    case .bool(let bool): bool ? "true" : "false"
    case .null: ""
    case .array(let elements): elements.map(text).joined(separator: ",")
    case .object, .raw: "[object Object]"
    }
  }

  /// Trimmed, and cut to so many UTF-16 units.
  static func cut(_ text: String, _ limit: Int) -> String {
    let text = text.trimmingSpace
    return text.utf16.count <= limit
      ? text : String(decoding: text.utf16.prefix(limit), as: UTF16.self)
  }

  /// An array, or one text split at commas and line ends; blanks and repeats are dropped.
  static func list(_ value: DemoJSON) -> [String] {
    let parts: [String]
    switch value {
    case .array(let elements): parts = elements.map(text)
    case .string(let text):
      parts = text.split { $0 == "," || $0.isNewline }.map(String.init)
    default: parts = []
    }
    var found: [String] = []
    for part in parts.map(\.trimmingSpace) where !part.isEmpty && !found.contains(part) {
      found.append(part)
    }
    return found
  }
}

extension DemoJSON {
  /// A number, whole where it is.
  static func from(_ double: Double) -> DemoJSON {
    double == double.rounded() && abs(double) < 1e15 ? .int(Int(double)) : .double(double)
  }

  func value(at path: some Collection<String>) -> DemoJSON? {
    var value: DemoJSON? = self
    for key in path { value = value?[key] }
    return value
  }

  /// This object with a value at a path; sections are made.
  func placing(_ value: DemoJSON, at path: ArraySlice<String>) -> DemoJSON {
    guard let key = path.first else { return value }
    var section = self
    if case .object = section {} else { section = [:] }
    return section.setting(key, (section[key] ?? [:]).placing(value, at: path.dropFirst()))
  }

  /// Without the value at a path; sections stay.
  func dropping(_ path: ArraySlice<String>) -> DemoJSON {
    guard let key = path.first, let inner = self[key] else { return self }
    return path.count == 1 ? removing([key]) : setting(key, inner.dropping(path.dropFirst()))
  }
}
