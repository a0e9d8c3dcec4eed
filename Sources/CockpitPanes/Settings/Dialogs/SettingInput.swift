import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore
import TerminalUI

/// What a value is put in with, by its type.
enum SettingInput: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// The text itself.
    case text
    /// A list, one entry on a line.
    case entries
    case json
  }

  case toggle(Bool)
  /// One of some words, by its place.
  case choice([String], Int)
  case line(TextField)
  case area(TextArea, Content)

  init(_ item: SettingItem) {
    // A secret is never shown, not even to be edited: it is written anew.
    let value = (item.asked ?? item.value ?? item.defaultValue).map {
      SettingSecrecy.masked($0, at: item.path)
    }
    let kind = item.field?.path == item.path ? item.field?.kind : nil
    switch (kind, value) {
    case (.bool?, .bool(let isOn)?): self = .toggle(isOn)
    case (.bool?, nil): self = .toggle(false)
    case (.choice(let words)?, let value):
      let word = value?.string ?? value?.serialized() ?? ""
      guard let place = words.firstIndex(where: { $0.lowercased() == word.lowercased() }) else {
        fallthrough
      }
      self = .choice(words, place)
    case (.int?, .number?), (.number?, .number?), (.int?, nil), (.number?, nil):
      self = .line(TextField(value?.serialized() ?? ""))
    case (.url?, .string(let text)?), (.worker?, .string(let text)?):
      self = .line(TextField(text))
    case (.text(let limit)?, .string(let text)?) where !text.contains(where: \.isNewline):
      self = limit <= 120 ? .line(TextField(text)) : .area(TextArea(text, isAtEnd: true), .text)
    case (.text?, .string(let text)?): self = .area(TextArea(text, isAtEnd: true), .text)
    case (.text?, nil), (.url?, nil), (.worker?, nil): self = .line(TextField())
    case (.list?, let value), (.choices?, let value), (.workers?, let value):
      let entries = value?.array ?? []
      let texts = entries.compactMap(\.string)
      guard texts.count == entries.count,
        !texts.contains(where: { $0.contains(where: \.isNewline) })
      else { fallthrough }
      self = .area(TextArea(texts.joined(separator: "\n"), isAtEnd: true), .entries)
    default: self = .area(TextArea(value?.serialized(pretty: true) ?? ""), .json)
    }
  }

  /// The value that is in it.
  func value(_ item: SettingItem) throws(SettingValueProblem) -> JSONValue {
    let kind = item.field?.path == item.path ? item.field?.kind : nil
    switch self {
    case .toggle(let isOn): return .bool(isOn)
    case .choice(let words, let place):
      guard let kind, words.indices.contains(place) else { return .null }
      return try kind.value(typed: words[place].isEmpty ? "\"\"" : words[place])
    case .line(let field):
      switch kind {
      case .int?, .number?: return try (kind ?? .free).value(typed: field.text)
      default: return .string(field.text)
      }
    case .area(let area, .text): return .string(area.text)
    case .area(let area, .entries):
      let lines = area.text.split(whereSeparator: \.isNewline).map { String($0).trimmingSpaces }
      return .array(lines.filter { !$0.isEmpty }.map { .string($0) })
    case .area(let area, .json):
      let value: JSONValue
      do throws(JSONError) {
        value = try JSONValue.parse(area.text)
      } catch {
        throw SettingValueProblem("It takes JSON; this is \(error).")
      }
      try kind?.check(value)
      return value
    }
  }

  /// The text for the user's editor; nil for what is chosen, not written.
  var text: String? {
    switch self {
    case .toggle, .choice: nil
    case .line(let field): field.text
    case .area(let area, _): area.text
    }
  }

  /// Takes the text of the user's editor.
  mutating func take(_ text: String) {
    switch self {
    case .toggle, .choice: break
    case .line:
      self = .line(TextField(text.split(whereSeparator: \.isNewline).joined(separator: " ")))
    case .area(var area, let content):
      area.replace(with: text)
      self = .area(area, content)
    }
  }

  /// Whether Enter belongs to the text.
  var takesEnter: Bool { if case .area = self { true } else { false } }

  /// Applies a key; false if it means nothing here.
  mutating func press(_ press: KeyPress, width: Int) -> Bool {
    switch self {
    case .toggle(let isOn):
      switch (press.key, press.modifiers) {
      case (.char(" "), []), (.left, []), (.right, []), (.char("h"), []), (.char("l"), []):
        self = .toggle(!isOn)
      case (.char("t"), []), (.char("1"), []): self = .toggle(true)
      case (.char("f"), []), (.char("0"), []): self = .toggle(false)
      default: return false
      }
    case .choice(let words, let place):
      switch (press.key, press.modifiers) {
      case (.left, []), (.char("h"), []), (.char("k"), []), (.up, []):
        self = .choice(words, (place + words.count - 1) % max(1, words.count))
      case (.right, []), (.char("l"), []), (.char("j"), []), (.char(" "), []), (.down, []):
        self = .choice(words, (place + 1) % max(1, words.count))
      case (.char(let letter), []):
        // The next word with that letter.
        let order = (1...max(1, words.count)).map { (place + $0) % max(1, words.count) }
        guard
          let next = order.first(where: {
            words[$0].lowercased().hasPrefix(letter.lowercased())
          })
        else { return false }
        self = .choice(words, next)
      default: return false
      }
    case .line(var field):
      let outcome = field.press(press)
      self = .line(field)
      return outcome == .edited || outcome == .moved
    case .area(var area, let content):
      let outcome = area.press(press, width: width)
      self = .area(area, content)
      return outcome != .ignored
    }
    return true
  }

  mutating func paste(_ text: String) {
    switch self {
    case .toggle, .choice: break
    case .line(var field):
      field.paste(text)
      self = .line(field)
    case .area(var area, let content):
      area.paste(text)
      self = .area(area, content)
    }
  }

  /// Takes the last change back; false if there is none, or the field keeps none.
  mutating func undo() -> Bool {
    guard case .area(var area, let content) = self else { return false }
    let isDone = area.undo()
    self = .area(area, content)
    return isDone
  }
}
