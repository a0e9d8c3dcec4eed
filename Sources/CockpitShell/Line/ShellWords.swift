/// Splits a line into words like a POSIX shell: blanks separate words, `'…'` keeps everything
/// literally, `"…"` everything but `\"`, `\\`, `\$` and `` \` ``, and `\` keeps the next character.
/// Nothing is expanded.
package struct ShellWords: Hashable, Sendable {
  package struct Word: Hashable, Sendable {
    /// Without its quotes.
    package var text: String
    /// Where it stands, in characters from the start, quotes included.
    package var range: Range<Int>
  }

  /// Why a line is not complete.
  package enum Problem: Error, Hashable, Sendable {
    case openQuote(Character)
    case trailingBackslash

    /// One sentence.
    package var sentence: String {
      switch self {
      case .openQuote(let quote): "a quote \(quote) is not closed; close it, or write \\\(quote)"
      case .trailingBackslash: "nothing follows the last \\; write \\\\ for a backslash"
      }
    }
  }

  /// The words; the last one may be incomplete.
  package private(set) var words: [Word] = []
  /// The unterminated construct at the end; nil for a complete line.
  package private(set) var problem: Problem?

  package init(_ line: String) {
    let characters = Array(line)
    var text = ""
    var start: Int?
    var quote: Character?
    var index = 0

    func end(_ words: inout [Word], at index: Int) {
      guard let begin = start else { return }
      words.append(Word(text: text, range: begin..<index))
      text = ""
      start = nil
    }

    while index < characters.count {
      let character = characters[index]
      if quote == nil, character.isWhitespace {
        end(&words, at: index)
        index += 1
        continue
      }
      if start == nil { start = index }
      switch (quote, character) {
      case (nil, "'"), (nil, "\""): quote = character
      case ("'", "'"), ("\"", "\""): quote = nil
      case ("'", _): text.append(character)
      case (_, "\\"):
        guard index + 1 < characters.count else {
          problem = .trailingBackslash
          break
        }
        let next = characters[index + 1]
        if quote == "\"", !"\"\\$`".contains(next) { text.append(character) }
        text.append(next)
        index += 1
      default: text.append(character)
      }
      index += 1
    }
    end(&words, at: characters.count)
    if let quote { problem = .openQuote(quote) }
  }

  /// Quotes a word so that `init` returns it unchanged; only if necessary.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:,@%+=*<>?!|".contains($0) }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
