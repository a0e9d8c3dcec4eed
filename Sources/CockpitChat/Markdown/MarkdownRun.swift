/// A run of text within a block, in one style.
package struct MarkdownRun: Hashable, Sendable {
  package struct Style: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let strong = Style(rawValue: 1)
    package static let emphasis = Style(rawValue: 2)
    package static let deleted = Style(rawValue: 4)
    package static let code = Style(rawValue: 8)
  }

  package var text: String
  package var style: Style
  /// Where a link leads, as sent. The text before it may say anything else.
  package var link: String?

  package init(_ text: String, _ style: Style = [], link: String? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }

  /// The runs of a text. Linear in its length.
  package static func runs(of text: String) -> [MarkdownRun] {
    var parser = RunParser(text)
    return parser.parse()
  }

  /// The text without marks.
  package static func plain(_ text: String) -> String { runs(of: text).map(\.text).joined() }
}

private struct RunParser {
  private let characters: [Character]
  private var index = 0
  private var runs: [MarkdownRun] = []
  private var text = ""
  private var style: MarkdownRun.Style = []
  /// The last place where each mark may end.
  private var lastEnds: [String: Int] = [:]
  /// Lengths of runs of backticks that do not come again.
  private var unclosed: Set<Int> = []

  /// The last `](`: behind it no link begins.
  private var lastLink = -1

  /// The longest label and the longest target of a link, in characters.
  private static let labelReach = 600
  private static let targetReach = 2_000
  private static let marks: [(mark: String, style: MarkdownRun.Style)] = [
    ("**", .strong), ("__", .strong), ("~~", .deleted), ("*", .emphasis), ("_", .emphasis),
  ]

  init(_ text: String) {
    characters = Array(text)
    for (place, character) in characters.enumerated() where "*_~(".contains(character) {
      if character == "(" {
        if place > 0, characters[place - 1] == "]" { lastLink = place }
        continue
      }
      guard place > 0, !characters[place - 1].isWhitespace else { continue }
      lastEnds[String(character)] = place
      if place + 1 < characters.count, characters[place + 1] == character {
        lastEnds[String([character, character])] = place
      }
    }
  }

  mutating func parse() -> [MarkdownRun] {
    while index < characters.count { step() }
    flush()
    return runs
  }

  private mutating func flush() {
    guard !text.isEmpty else { return }
    runs.append(MarkdownRun(text, style))
    text = ""
  }

  private mutating func step() {
    let character = characters[index]
    switch character {
    case "\\":
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      if let next, next.isASCII, next.isPunctuation || next.isSymbol {
        text.append(next)
        index += 2
      } else {
        take(character)
      }
    case "`": codeSpan()
    case "*", "_", "~": if !mark(character) { take(character) }
    case "!" where index + 1 < characters.count && characters[index + 1] == "[":
      if let (label, target, end) = link(at: index + 1) {
        add(label.isEmpty ? "[image]" : "[image: \(label)]", target, end)
      } else {
        take(character)
      }
    case "[":
      if let (label, target, end) = link(at: index) {
        add(label.isEmpty ? target : MarkdownRun.plain(label), target, end)
      } else {
        take(character)
      }
    case "<": if !tag() { take(character) }
    default: take(character)
    }
  }

  private mutating func take(_ character: Character) {
    text.append(character)
    index += 1
  }

  private mutating func add(_ label: String, _ target: String, _ end: Int) {
    flush()
    runs.append(MarkdownRun(label, style, link: target))
    index = end
  }

  private mutating func codeSpan() {
    var end = index
    while end < characters.count, characters[end] == "`" { end += 1 }
    let length = end - index
    guard !unclosed.contains(length), let close = backticks(length, from: end) else {
      unclosed.insert(length)
      text += String(characters[index..<end])
      index = end
      return
    }
    flush()
    var code = characters[end..<close].map { $0 == "\n" ? " " : $0 }[...]
    if code.count > 2, code.first == " ", code.last == " ", code.contains(where: { $0 != " " }) {
      code = code.dropFirst().dropLast()
    }
    runs.append(MarkdownRun(String(code), style.union(.code)))
    index = close + length
  }

  private func backticks(_ length: Int, from start: Int) -> Int? {
    var place = start
    while place < characters.count {
      guard characters[place] == "`" else {
        place += 1
        continue
      }
      var end = place
      while end < characters.count, characters[end] == "`" { end += 1 }
      if end - place == length { return place }
      place = end
    }
    return nil
  }

  /// Begins or ends an emphasis here; false if the character is only itself.
  private mutating func mark(_ character: Character) -> Bool {
    for (mark, kind) in Self.marks where mark.first == character {
      let length = mark.count
      guard index + length <= characters.count,
        length == 1 || characters[index + 1] == character
      else { continue }
      let before = index > 0 ? characters[index - 1] : " "
      let after = index + length < characters.count ? characters[index + length] : " "
      // Within a word `_` is a letter: `snake_case`.
      let isInWord = character == "_" && Self.isWord(before) && Self.isWord(after)
      guard !isInWord else { return false }
      if style.contains(kind), !before.isWhitespace {
        flush()
        style.remove(kind)
        index += length
        return true
      }
      if !style.contains(kind), !after.isWhitespace, length == 2 || after != character,
        lastEnds[mark, default: -1] > index + length - 1
      {
        flush()
        style.insert(kind)
        index += length
        return true
      }
    }
    return false
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }

  /// `[label](target)` from a bracket on.
  private func link(at start: Int) -> (label: String, target: String, end: Int)? {
    guard start < lastLink else { return nil }
    let limit = min(characters.count, start + Self.labelReach)
    var depth = 0
    var place = start
    while place < limit {
      switch characters[place] {
      case "\\": place += 1
      case "[": depth += 1
      case "]": depth -= 1
      default: break
      }
      if depth == 0 { break }
      place += 1
    }
    guard depth == 0, place + 1 < limit, characters[place + 1] == "(" else { return nil }
    let label = String(characters[(start + 1)..<place])
    var end = place + 2
    var parentheses = 1
    let reach = min(characters.count, end + Self.targetReach)
    while end < reach {
      if characters[end] == "(" { parentheses += 1 }
      if characters[end] == ")" { parentheses -= 1 }
      if parentheses == 0 { break }
      end += 1
    }
    guard end < reach, parentheses == 0 else { return nil }
    let words = characters[(place + 2)..<end].split(whereSeparator: \.isWhitespace)
    guard var target = words.first else { return nil }
    if target.first == "<", target.last == ">" { target = target.dropFirst().dropLast() }
    return (label, String(target), end + 1)
  }

  /// `<https://…>` and `<br>`.
  private mutating func tag() -> Bool {
    let limit = min(characters.count, index + 400)
    guard let end = characters[index..<limit].firstIndex(of: ">") else { return false }
    let inner = String(characters[(index + 1)..<end])
    switch inner.lowercased() {
    case "br", "br/", "br /": text.append("\n")
    case let word where word.hasPrefix("http://") || word.hasPrefix("https://"):
      text += inner
    default: return false
    }
    index = end + 1
    return true
  }
}
