import LenientJSON

/// Why a value does not fit a setting, as one sentence.
package struct SettingValueProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

extension SettingKind {
  // MARK: From what was typed

  /// The value that a typed text means.
  ///
  /// Switches take true, false, on, off, yes and no; lists a JSON array, or texts between commas;
  /// texts are taken as they are, unless they are written as a JSON string.
  package func value(typed text: String) throws(SettingValueProblem) -> JSONValue {
    let bare = Self.trimmed(text)
    switch self {
    case .bool:
      switch bare.lowercased() {
      case "true", "on", "yes": return .bool(true)
      case "false", "off", "no": return .bool(false)
      default: throw misfit
      }
    case .int, .number:
      guard let json = try? JSONValue.parse(bare), case .number(let number) = json,
        number.double.isFinite
      else { throw misfit }
      return json
    case .text, .url, .worker:
      if bare.hasPrefix("\""), case .string(let string)? = try? JSONValue.parse(bare) {
        return .string(string)
      }
      return .string(text.keepingReservedCharacters)
    case .choice(let words):
      let word = bare == "\"\"" ? "" : bare
      guard let known = words.first(where: { $0.lowercased() == word.lowercased() }) else {
        throw misfit
      }
      return Self.areNumbers(words) ? .number(JSONNumber(text: known)) : .string(known)
    case .list, .choices, .workers:
      if bare.hasPrefix("[") { return try json(bare) }
      let words = bare.split(separator: ",").map { Self.trimmed(String($0)) }
      return .array(words.filter { !$0.isEmpty }.map { .string($0.keepingReservedCharacters) })
    case .binding, .policy, .free, .objects: return try json(bare)
    }
  }

  private func json(_ text: String) throws(SettingValueProblem) -> JSONValue {
    do {
      let value = try JSONValue.parse(text)
      try check(value)
      return value
    } catch let error as JSONError {
      throw SettingValueProblem("This is \(error.description); give \(words).")
    } catch let problem as SettingValueProblem {
      throw problem
    } catch {
      throw misfit
    }
  }

  // MARK: The type

  /// Refuses a value of another type, of which the backend would make something odd.
  package func check(_ value: JSONValue) throws(SettingValueProblem) {
    let fits: Bool
    switch (self, value) {
    case (.bool, .bool), (.int, .number), (.number, .number), (.text, .string), (.url, .string),
      (.worker, .string), (.binding, .object), (.policy, .object), (.free, .object):
      fits = true
    case (.choice(let words), .string): fits = !Self.areNumbers(words)
    case (.choice(let words), .number): fits = Self.areNumbers(words)
    case (.list, .array(let elements)), (.choices, .array(let elements)),
      (.workers, .array(let elements)):
      fits = elements.allSatisfy { $0.string != nil }
    case (.objects, .array(let elements)): fits = elements.allSatisfy { $0.object != nil }
    default: fits = false
    }
    if !fits { throw misfit }
  }

  private var misfit: SettingValueProblem { SettingValueProblem("It takes \(words).") }

  // MARK: What the backend will make of it

  /// The value that the backend is expected to store for one of the right type, as far as its rules
  /// are known; nil if they are not. What it really stored is in its answer.
  ///
  /// - Parameter defaultValue: used in place of an unknown choice.
  package func expected(_ value: JSONValue, default defaultValue: JSONValue?) -> JSONValue? {
    switch (self, value) {
    case (.bool, .bool): return value
    case (.int(let range), .number(let number)):
      return Self.clamped(number.double.rounded(.down), range, spelt: number)
    case (.number(let range), .number(let number)):
      return Self.clamped(number.double, range, spelt: number)
    case (.text(let limit), .string(let text)): return .string(Self.cut(text, to: limit))
    case (.choice(let words), .string(let text)):
      let word = Self.trimmed(text).lowercased()
      return words.first { $0.lowercased() == word }.map { .string($0) } ?? defaultValue
    case (.choice(let words), .number(let number)):
      return words.contains { Double($0) == number.double } ? value : defaultValue
    case (.list(let count, let length), .array(let elements)):
      var texts: [String] = []
      for case .string(let element) in elements {
        let text = Self.trimmed(element)
        guard !text.isEmpty, !texts.contains(where: { $0.isIdentical(to: text) }) else { continue }
        texts.append(text)
      }
      return .array(texts.prefix(count).map { .string(Self.cut($0, to: length)) })
    case (.free, .object): return value
    default: return nil
    }
  }

  private static func clamped(
    _ double: Double, _ range: ClosedRange<Double>, spelt number: JSONNumber
  ) -> JSONValue {
    let clamped = min(max(double, range.lowerBound), range.upperBound)
    guard clamped != number.double else { return .number(number) }
    return .number(JSONNumber(text: digits(clamped)))
  }

  private static func cut(_ text: String, to limit: Int) -> String {
    let text = trimmed(text)
    guard text.unitCount > limit else { return text }
    var units = 0
    return String(
      text.unicodeScalars.prefix { scalar in
        units += String(scalar).unitCount
        return units <= limit
      }.map(Character.init))
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace: (Unicode.Scalar) -> Bool = {
      $0.properties.isWhitespace || $0 == "\u{FEFF}"
    }
    var scalars = Substring(text).unicodeScalars
    scalars = scalars.drop(while: isSpace)
    while let last = scalars.last, isSpace(last) { scalars.removeLast() }
    return String(scalars)
  }

  private static func areNumbers(_ words: [String]) -> Bool {
    words.allSatisfy { Double($0) != nil }
  }
}
