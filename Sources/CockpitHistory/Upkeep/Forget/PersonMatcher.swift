/// Finds the ids and names of a person in text: ids wherever they stand, names as whole words, in any case and with
/// or without accents.
package struct PersonMatcher: Sendable {
  /// The ids of the person.
  let ids: Set<String>
  /// Each name as its words.
  private let phrases: [[String]]
  /// The ids that are digits alone, as bytes.
  private let digits: [[UInt8]]
  /// Names that are too short to be looked for inside text, or have no letters: only a whole string counts.
  private let wholes: Set<String>
  /// The names as they were given.
  let names: Set<String>
  /// The first words of the phrases, where they are ASCII, as bytes.
  private let starts: [[UInt8]]
  /// Ids and names with characters beyond ASCII, as bytes.
  private let others: [[UInt8]]
  private let isStart: [Bool]
  /// Whether a first word has letters: those of other alphabets may be folded to it.
  private let hasLetters: Bool

  package init(ids: Set<String>, names: Set<String>) {
    self.ids = ids
    self.names = names
    var phrases: Set<[String]> = []
    var wholes: Set<String> = []
    for name in names.union(ids) {
      let words = HistoryWords.split(name)
      if ids.contains(name) && !words.isEmpty || Self.isTelling(words) {
        phrases.insert(words)
      } else {
        wholes.insert(name)
      }
    }
    self.phrases = phrases.sorted { $0.count > $1.count || $0.count == $1.count && $0[0] < $1[0] }
    self.wholes = wholes
    digits = ids.filter { $0.utf8.count >= 15 && $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
      .map { Array($0.utf8) }
    let firsts = Set(phrases.compactMap(\.first) + wholes)
    starts = firsts.filter { $0.utf8.allSatisfy { $0 < 0x80 } }.map { text in
      text.utf8.map { Self.lower($0) }
    }
    others = names.union(ids).map { Array($0.utf8) }.filter { $0.contains { $0 >= 0x80 } }
    var isStart = [Bool](repeating: false, count: 256)
    for start in starts {
      guard let first = start.first else { continue }
      isStart[Int(first)] = true
      if first >= 0x61, first <= 0x7A { isStart[Int(first) - 0x20] = true }
    }
    self.isStart = isStart
    hasLetters = firsts.contains { $0.utf8.contains { !($0 >= 0x30 && $0 <= 0x39) } }
  }

  /// Whether a name is long enough to be looked for in text: `Al` is in too many sentences.
  private static func isTelling(_ words: [String]) -> Bool {
    let scalars = words.reduce(0) { $0 + $1.unicodeScalars.count }
    let isASCII = words.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    return scalars >= (isASCII ? 3 : 2)
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// The names that are found only where they are a whole string.
  var shortNames: [String] { wholes.sorted() }

  // MARK: text

  /// Whether a text is one of the ids.
  func isID(_ text: String) -> Bool { ids.contains(text) }

  /// Whether a text is one of the names and nothing else.
  func isName(_ text: String) -> Bool {
    if names.contains(text) { return true }
    let words = HistoryWords.split(text)
    return !words.isEmpty && phrases.contains(words)
  }

  package func isIn(_ text: String) -> Bool { !places(in: text).isEmpty }

  /// The text with each id and name replaced; nil if there is none.
  func replacing(_ text: String, with pseudonym: String) -> String? {
    let places = places(in: text)
    guard !places.isEmpty else { return nil }
    let bytes = Array(text.utf8)
    var new: [UInt8] = []
    var at = 0
    for place in places where place.lowerBound >= at {
      new += bytes[at..<place.lowerBound]
      new += Array(pseudonym.utf8)
      at = place.upperBound
    }
    new += bytes[at...]
    return String(decoding: new, as: UTF8.self)
  }

  /// The places of ids and names among the UTF-8 bytes, in order.
  private func places(in text: String) -> [Range<Int>] {
    if wholes.contains(text) { return [0..<text.utf8.count] }
    var words: [(word: String, place: Range<Int>)] = []
    HistoryWords.each(text) { words.append(($0, $1)) }
    var found: [Range<Int>] = []
    var index = 0
    while index < words.count {
      let phrase = phrases.first { phrase in
        phrase.count <= words.count - index
          && phrase.indices.allSatisfy { words[index + $0].word == phrase[$0] }
      }
      guard let phrase else {
        found += digitPlaces(in: text, words[index])
        index += 1
        continue
      }
      found.append(
        words[index].place.lowerBound..<words[index + phrase.count - 1].place.upperBound)
      index += phrase.count
    }
    return found
  }

  /// The ids inside a longer word, such as `u123456789012345678`.
  private func digitPlaces(
    in text: String, _ word: (word: String, place: Range<Int>)
  ) -> [Range<Int>] {
    guard word.place.count > 15, !digits.isEmpty else { return [] }
    let bytes = Array(text.utf8.dropFirst(word.place.lowerBound).prefix(word.place.count))
    return digits.flatMap { id in
      Self.digitPlaces(of: id, in: bytes).map {
        $0 + word.place.lowerBound..<$0 + word.place.lowerBound + id.count
      }
    }.sorted { $0.lowerBound < $1.lowerBound }
  }

  private static func digitPlaces(of id: [UInt8], in bytes: [UInt8]) -> [Int] {
    func isDigit(_ index: Int) -> Bool {
      bytes.indices.contains(index) && bytes[index] >= 0x30 && bytes[index] <= 0x39
    }
    guard bytes.count >= id.count else { return [] }
    return (0...bytes.count - id.count).filter { at in
      bytes[at] == id[0] && bytes[at..<at + id.count].elementsEqual(id) && !isDigit(at - 1)
        && !isDigit(at + id.count)
    }
  }

  // MARK: bytes

  /// Whether JSON may name the person. False is certain; true is looked into.
  func mayBeIn(_ json: UnsafeRawBufferPointer) -> Bool {
    var hasOther = false
    for at in json.indices {
      let byte = json[at]
      if isStart[Int(byte)], isStart(json, at) { return true }
      // Letters beyond ASCII may be folded to ASCII, and escapes may stand for any.
      guard byte >= 0x80 || byte == UInt8(ascii: "\\") else { continue }
      if byte >= 0x80 ? mayBeFolded(byte) : hasLetters && isUnicodeEscape(json, at) {
        hasOther = true
      }
    }
    return hasOther
  }

  /// Whether a first byte of a letter may stand for one of a name: Latin letters, marks, and forms of other widths. Quotes,
  /// dashes and emoji are none of them, unless a name is beyond ASCII itself.
  private func mayBeFolded(_ byte: UInt8) -> Bool {
    guard hasLetters else { return false }
    guard others.isEmpty else { return true }
    switch byte {
    case 0xC3...0xCD, 0xE1, 0xEF: return true
    default: return false
    }
  }

  private func isUnicodeEscape(_ json: UnsafeRawBufferPointer, _ at: Int) -> Bool {
    at + 1 < json.count && json[at + 1] == UInt8(ascii: "u")
  }

  private func isStart(_ json: UnsafeRawBufferPointer, _ at: Int) -> Bool {
    starts.contains { start in
      guard start.count <= json.count - at else { return false }
      for index in start.indices where Self.lower(json[at + index]) != start[index] { return false }
      return true
    }
  }

  /// Whether the bytes of a file contain an id or a name, as whole words. Shorter ones than six bytes are left out:
  /// compressed data contains them by chance.
  func isRaw(in bytes: UnsafeRawBufferPointer) -> Bool {
    for at in bytes.indices {
      let byte = bytes[at]
      if isStart[Int(byte)], isRawPhrase(bytes, at) { return true }
      if byte >= 0x80, isRawOther(bytes, at) { return true }
    }
    return false
  }

  private func isRawPhrase(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Bool {
    guard !isLetter(bytes, at - 1), isStart(bytes, at) else { return false }
    let text = String(decoding: bytes[at..<min(bytes.count, at + 200)], as: UTF8.self)
    var words: [(word: String, place: Range<Int>)] = []
    HistoryWords.each(text) { words.append(($0, $1)) }
    return phrases.contains { phrase in
      phrase.reduce(0) { $0 + $1.utf8.count } >= 6 && phrase.count <= words.count
        && phrase.indices.allSatisfy { words[$0].word == phrase[$0] }
    }
  }

  private func isRawOther(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Bool {
    others.contains { other in
      guard other.count >= 6, let place = other.firstIndex(where: { $0 >= 0x80 }),
        at >= place, other.count <= bytes.count - (at - place)
      else { return false }
      return other.indices.allSatisfy { bytes[at - place + $0] == other[$0] }
        && !isLetter(bytes, at - place - 1) && !isLetter(bytes, at - place + other.count)
    }
  }

  private func isLetter(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Bool {
    guard bytes.indices.contains(at) else { return false }
    switch bytes[at] {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: return true
    default: return false
    }
  }
}
