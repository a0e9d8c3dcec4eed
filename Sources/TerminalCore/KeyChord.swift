/// Why a key chord of a configuration file was not understood.
package struct KeyChordError: Error, Hashable, CustomStringConvertible {
  /// The invalid chord; not sanitised.
  package let text: String
  /// The error, as half a sentence.
  package let reason: String

  package var description: String {
    let text = PlainText(text, limit: 40)
    return "\"\(text)\" is no key: \(reason); write them like g, C-d, S-Tab, F1, Space or \"g g\"."
  }
}

/// One or several key presses in a row: `g g`, `C-d`, `]e`, `S-Tab`, `Space`.
package struct KeyChord: Hashable, Sendable {
  /// The presses in their order; at least one when parsed.
  package let presses: [KeyPress]

  /// A chord of these presses.
  package init(_ presses: [KeyPress]) { self.presses = presses }

  /// A chord of one press.
  package init(_ key: Key, _ modifiers: KeyModifiers = []) {
    presses = [KeyPress(key, modifiers)]
  }

  /// Parses presses separated by spaces; a word that names no key is one press per character, so
  /// that `]e` and `gg` need no space.
  package init(parsing text: String) throws(KeyChordError) {
    var presses: [KeyPress] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      presses += try Self.presses(word, in: text)
    }
    guard !presses.isEmpty else {
      throw KeyChordError(text: text, reason: "there is nothing in it")
    }
    self.presses = presses
  }

  private static func presses(
    _ word: Substring, in text: String
  ) throws(KeyChordError) -> [KeyPress] {
    var rest = word
    var modifiers: KeyModifiers = []
    while rest.count > 2, rest.dropFirst().first == "-", let first = rest.first,
      let modifier = modifier(first)
    {
      modifiers.insert(modifier)
      rest = rest.dropFirst(2)
    }
    if let key = named(rest) { return [KeyPress(key, modifiers)] }
    guard rest.allSatisfy({ $0.isPrintableKey }) else {
      throw KeyChordError(text: text, reason: "it holds a character that no key types")
    }
    if rest.count == 1, let character = rest.first {
      return [normalised(character, modifiers)]
    }
    guard modifiers.isEmpty else {
      throw KeyChordError(text: text, reason: "\"\(rest)\" is the name of no key")
    }
    return rest.map { KeyPress(.char($0)) }
  }

  /// Terminals send Shift as the other character and control keys without case.
  private static func normalised(_ character: Character, _ modifiers: KeyModifiers) -> KeyPress {
    var modifiers = modifiers
    var character = character
    if modifiers.contains(.ctrl) {
      character = character.lowercased().first ?? character
    } else if modifiers.contains(.shift), character.isLetter {
      modifiers.remove(.shift)
      character = character.uppercased().first ?? character
    }
    return KeyPress(.char(character), modifiers)
  }

  private static func modifier(_ letter: Character) -> KeyModifiers? {
    switch letter {
    case "C": .ctrl
    case "A", "M": .alt
    case "S": .shift
    default: nil
    }
  }

  private static let names: [(name: String, key: Key)] = [
    ("Space", .char(" ")), ("Enter", .enter), ("Return", .enter), ("Tab", .tab), ("Esc", .escape),
    ("Escape", .escape), ("Backspace", .backspace), ("BS", .backspace), ("Del", .delete),
    ("Delete", .delete), ("Ins", .insert), ("Insert", .insert), ("Up", .up), ("Down", .down),
    ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end), ("PgUp", .pageUp),
    ("PageUp", .pageUp), ("PgDn", .pageDown), ("PageDown", .pageDown),
  ]

  private static func named(_ word: Substring) -> Key? {
    guard word.utf8.count > 1 else { return nil }
    if let key = names.first(where: { $0.name == word })?.key { return key }
    guard word.count > 1, word.first == "F", let number = Int(word.dropFirst()),
      (1...24).contains(number)
    else { return nil }
    return .function(number)
  }

  fileprivate static func name(_ key: Key) -> String {
    switch key {
    case .char(" "): "Space"
    case .char(let character): String(character)
    case .function(let number): "F\(number)"
    default: names.first { $0.key == key }?.name ?? "?"
    }
  }
}

extension KeyChord {
  /// How much of a chord has been pressed.
  package enum Progress: Hashable, Sendable {
    case none, partial, complete
  }

  /// How much of the chord has been pressed; `none` if the presses do not match.
  package func progress(of pressed: [KeyPress]) -> Progress {
    guard presses.starts(with: pressed), !pressed.isEmpty else { return .none }
    return pressed.count == presses.count ? .complete : .partial
  }
}

extension KeyChord: ExpressibleByStringLiteral {
  /// For the tables in the source. A literal that cannot be parsed is split into characters.
  package init(stringLiteral text: String) {
    // Most of them; there are a hundred at every start.
    if text.utf8.count == 1, let character = text.first {
      self.init(.char(character))
      return
    }
    let parsed = try? KeyChord(parsing: text)
    self = parsed ?? KeyChord(text.map { KeyPress(.char($0)) })
  }
}

extension KeyPress: CustomStringConvertible {
  package var description: String {
    if modifiers.isEmpty { return KeyChord.name(key) }
    var text = ""
    if modifiers.contains(.ctrl) { text += "C-" }
    if modifiers.contains(.alt) { text += "A-" }
    if modifiers.contains(.shift) { text += "S-" }
    return text + KeyChord.name(key)
  }
}

extension KeyChord: CustomStringConvertible {
  /// The way `init(parsing:)` reads it; plain characters stand together, as in `]e`.
  package var description: String {
    if presses.count == 1 { return presses[0].description }
    let words = presses.map(\.description)
    let isPlain = words.allSatisfy { $0.count == 1 }
    let joined = words.joined(separator: isPlain ? "" : " ")
    return Self.names.contains { $0.name == joined } ? words.joined(separator: " ") : joined
  }
}

extension Character {
  fileprivate var isPrintableKey: Bool {
    unicodeScalars.count == 1
      && unicodeScalars.allSatisfy {
        ScalarWidth.columns($0.value) > 0 && $0.value > 0x20 && !(0x7F..<0xA0).contains($0.value)
      }
  }
}
