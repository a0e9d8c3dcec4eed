/// The searchable words of a row, for far ends that have an index of their own.
package enum RowWords {
  /// Words of which an index keeps no more than this many bytes; the whole of a row has at most the second.
  package static let wordBytes = 250
  private static let maxBytes = 128 << 10

  /// The words, folded as queries are, each once, with a space between them.
  ///
  /// - Parameter json: of the row.
  package static func line(_ json: [UInt8]) -> String {
    var known: Set<[UInt8]> = []
    var line: [UInt8] = []
    for word in json.withUnsafeBytes({ RowText.line($0) }).split(separator: 0x20) {
      let kept = cut(Array(word))
      guard line.count + kept.count < maxBytes else { break }
      guard known.insert(kept).inserted else { continue }
      if !line.isEmpty { line.append(0x20) }
      line += kept
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// The beginning of a word that an index keeps.
  package static func cut(_ word: String) -> String {
    String(decoding: cut(Array(word.utf8)), as: UTF8.self)
  }

  private static func cut(_ word: [UInt8]) -> [UInt8] {
    guard word.count > wordBytes else { return word }
    var end = wordBytes
    // Not within a character.
    while end > 0, word[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(word[..<end])
  }
}

extension HistorySearch {
  /// Whether a row is a hit: what an index of words finds is only a candidate.
  package func holds(_ row: RecordedRow) -> Bool {
    guard row.atMs > afterMs, row.atMs <= throughMs else { return false }
    return terms.isEmpty || holds(row.json.withUnsafeBytes { RowText.words($0) })
  }
}
