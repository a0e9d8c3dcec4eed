/// The difference of two texts: changed lines, and in them the changed words.
///
/// Lines are compared first, so that a prompt of 60 KB with one changed sentence costs little; then
/// the words of each changed range. Both are bounded: a range with hardly a common word is shown
/// line by line.
package struct WordDiff: Sendable {
  /// A run of text in a line.
  package struct Run: Hashable, Sendable {
    package var text: String
    /// Whether the piece is missing on the other side.
    package var isChanged: Bool

    package init(_ text: String, isChanged: Bool) {
      self.text = text
      self.isChanged = isChanged
    }
  }

  package enum Line: Hashable, Sendable {
    case same(String)
    case removed([Run])
    case added([Run])
  }

  /// Lines that belong together, with their numbers from 1.
  package struct Hunk: Sendable {
    package var oldStart: Int
    package var oldCount = 0
    package var newStart: Int
    package var newCount = 0
    package var lines: [Line] = []
  }

  package private(set) var hunks: [Hunk] = []
  /// UTF-16 units of added, and of removed words.
  package private(set) var addedLength = 0
  package private(set) var removedLength = 0
  /// Whether a part was too different to compare its words.
  package private(set) var isCoarse = false

  package var isEmpty: Bool { hunks.isEmpty }

  /// Lines that may differ before everything counts as new.
  private static let lineEdits = 800
  /// Words that may differ within one stretch.
  private static let wordEdits = 600

  /// - Parameter context: unchanged lines that are shown around a change.
  package init(old: String, new: String, context: Int = 2) {
    let oldLines = Self.lines(old)
    let newLines = Self.lines(new)
    var numbers = Numbers()
    let a = oldLines.map { numbers[$0] }
    let b = newLines.map { numbers[$0] }
    let runs: [SequenceDiff.Run]
    if let found = SequenceDiff.runs(a, b, maxEdits: Self.lineEdits) {
      runs = found
    } else {
      isCoarse = true
      runs = [.removed(0..<oldLines.count), .added(0..<newLines.count)]
    }
    build(runs, oldLines, newLines, context: context)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private mutating func build(
    _ runs: [SequenceDiff.Run], _ old: [Substring], _ new: [Substring], context: Int
  ) {
    var hunk: Hunk?
    var index = 0
    while index < runs.count {
      switch runs[index] {
      case .same(let oldRange, let newRange):
        let hasNext = index + 1 < runs.count
        let isBridge = hunk != nil && hasNext && oldRange.count <= 2 * context
        let tail = hunk == nil ? 0 : isBridge ? oldRange.count : min(context, oldRange.count)
        if tail > 0 { hunk?.append(same: old[oldRange.prefix(tail)]) }
        if !isBridge {
          if let finished = hunk { hunks.append(finished) }
          hunk = nil
          if hasNext {
            let head = min(context, oldRange.count - tail)
            var next = Hunk(
              oldStart: oldRange.upperBound - head + 1, newStart: newRange.upperBound - head + 1)
            next.append(same: old[oldRange.suffix(head)])
            hunk = next
          }
        }
      case .removed(let removed):
        var added: Range<Int>?
        if index + 1 < runs.count, case .added(let range) = runs[index + 1] {
          added = range
          index += 1
        }
        var open = hunk ?? Hunk(oldStart: 1, newStart: 1)
        change(old[removed], added.map { new[$0] } ?? [], in: &open)
        hunk = open
      case .added(let range):
        var open = hunk ?? Hunk(oldStart: 1, newStart: 1)
        change([], new[range], in: &open)
        hunk = open
      }
      index += 1
    }
    if let hunk { hunks.append(hunk) }
  }

  /// One stretch of lines that was replaced by another.
  private mutating func change(
    _ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>, in hunk: inout Hunk
  ) {
    hunk.oldCount += old.count
    hunk.newCount += new.count
    guard !old.isEmpty, !new.isEmpty else {
      coarse(old, new, in: &hunk)
      return
    }
    let (oldWords, newWords) = (Self.words(old), Self.words(new))
    var numbers = Numbers()
    let a = oldWords.map { numbers[$0] }
    let b = newWords.map { numbers[$0] }
    guard let runs = SequenceDiff.runs(a, b, maxEdits: Self.wordEdits) else {
      isCoarse = true
      coarse(old, new, in: &hunk)
      return
    }
    // With little in common, marked words would only be confetti.
    let common = runs.reduce(0) { sum, run in
      guard case .same(let range, _) = run else { return sum }
      return sum + oldWords[range].reduce(0) { $1.first?.isWhitespace == true ? $0 : $0 + 1 }
    }
    guard common * 8 >= max(oldWords.count, newWords.count) else {
      coarse(old, new, in: &hunk)
      return
    }
    var (oldSide, newSide) = (Side(), Side())
    for run in runs {
      switch run {
      case .same(let oldRange, let newRange):
        for word in oldWords[oldRange] { oldSide.append(word, isChanged: false) }
        for word in newWords[newRange] { newSide.append(word, isChanged: false) }
      case .removed(let range):
        for word in oldWords[range] {
          oldSide.append(word, isChanged: true)
          removedLength += word.utf16.count
        }
      case .added(let range):
        for word in newWords[range] {
          newSide.append(word, isChanged: true)
          addedLength += word.utf16.count
        }
      }
    }
    hunk.lines += oldSide.finish().map(Line.removed) + newSide.finish().map(Line.added)
  }

  private mutating func coarse(
    _ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>, in hunk: inout Hunk
  ) {
    for line in old {
      removedLength += line.utf16.count
      hunk.lines.append(.removed([Run(String(line), isChanged: true)]))
    }
    for line in new {
      addedLength += line.utf16.count
      hunk.lines.append(.added([Run(String(line), isChanged: true)]))
    }
  }

  /// Words and separators, with a line feed after each line but the last: joined they are the
  /// original text.
  private static func words(_ lines: ArraySlice<Substring>) -> [Substring] {
    var words: [Substring] = []
    for (index, line) in lines.enumerated() {
      if index > 0 { words.append("\n") }
      var start = line.startIndex
      var kind: Bool?  // whether the word so far is made of letters and digits
      var at = line.unicodeScalars.startIndex
      let scalars = line.unicodeScalars
      while at < scalars.endIndex {
        let isWord = scalars[at].isWordPart
        // Every sign stands alone; letters and spaces stick together.
        if kind != nil, kind != isWord || !isWord {
          words.append(line[start..<at])
          start = at
        }
        kind = isWord
        scalars.formIndex(after: &at)
      }
      if start < line.endIndex { words.append(line[start...]) }
    }
    return words
  }

  /// One side of a changed stretch, being put together.
  private struct Side {
    var lines: [[Run]] = []
    var line: [Run] = []

    mutating func append(_ word: Substring, isChanged: Bool) {
      guard word != "\n" else {
        lines.append(line)
        line = []
        return
      }
      if let last = line.indices.last, line[last].isChanged == isChanged {
        line[last].text += word
      } else {
        line.append(Run(String(word), isChanged: isChanged))
      }
    }

    mutating func finish() -> [[Run]] {
      lines.append(line)
      return lines
    }
  }

  /// Equal pieces of text get equal numbers, which compare fast.
  private struct Numbers {
    private var known: [Substring: Int] = [:]

    subscript(_ text: Substring) -> Int {
      mutating get {
        if let number = known[text] { return number }
        known[text] = known.count
        return known.count - 1
      }
    }
  }
}

extension WordDiff.Hunk {
  fileprivate mutating func append(same lines: ArraySlice<Substring>) {
    oldCount += lines.count
    newCount += lines.count
    self.lines += lines.map { .same(String($0)) }
  }
}

extension Unicode.Scalar {
  /// Letters, digits and their marks; everything else parts words.
  fileprivate var isWordPart: Bool {
    if value < 0x80 {
      return (0x30...0x39).contains(value) || (0x41...0x5A).contains(value)
        || (0x61...0x7A).contains(value) || value == 0x5F || value == 0x27
    }
    // Scripts without spaces are compared sign by sign, or a Chinese prompt would be one word.
    if (0x2E80...0x9FFF).contains(value) || (0xF900...0xFAFF).contains(value)
      || (0x20000...0x3FFFF).contains(value)
    {
      return false
    }
    return properties.isAlphabetic || properties.generalCategory == .nonspacingMark
  }
}
