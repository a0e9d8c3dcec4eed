extension [Character] {
  /// Where the word before a position begins.
  func wordStart(before cursor: Int) -> Int {
    var position = cursor
    while position > 0, !self[position - 1].isOfWord { position -= 1 }
    while position > 0, self[position - 1].isOfWord { position -= 1 }
    return position
  }

  /// Where the word after a position ends.
  func wordEnd(after cursor: Int) -> Int {
    var position = cursor
    while position < count, !self[position].isOfWord { position += 1 }
    while position < count, self[position].isOfWord { position += 1 }
    return position
  }
}

extension Character {
  fileprivate var isOfWord: Bool { isLetter || isNumber || self == "_" }
}
