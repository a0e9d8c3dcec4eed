import CockpitStores
import TerminalCore

/// A wrapped diff: `+` and `-` mark added and removed lines, changed words are underlined, so that
/// it is readable without colour. If there is room, old and new text stand side by side.
struct DiffLayout: Sendable {
  var lines: [[StyledText]] = []
  var added = 0
  var removed = 0
  var isCoarse = false

  /// Columns from which two sides of some forty columns have a place.
  static let sideBySide = 80

  init(_ diff: WordDiff, width: Int) {
    added = diff.addedLength
    removed = diff.removedLength
    isCoarse = diff.isCoarse
    for hunk in diff.hunks {
      let numbers = "@@ -\(hunk.oldStart),\(hunk.oldCount) +\(hunk.newStart),\(hunk.newCount) @@"
      lines.append([StyledText(PlainText(numbers), .info)])
      if width >= Self.sideBySide {
        pairs(of: hunk.lines, width: width)
      } else {
        for line in hunk.lines { lines += Self.wrapped(line, width) }
      }
    }
  }

  /// Removed lines beside the lines that replace them.
  private mutating func pairs(of hunk: [WordDiff.Line], width: Int) {
    let side = (width - 3) / 2
    var old: [[StyledText]] = []
    var new: [[StyledText]] = []
    func put(_ lines: inout [[StyledText]]) {
      for index in 0..<max(old.count, new.count) {
        let left = old.indices.contains(index) ? old[index] : []
        let used = left.reduce(0) { $0 + $1.text.columns }
        let right = new.indices.contains(index) ? new[index] : []
        let gap = StyledText(.spaces(side - used) + " | ", .faint)
        lines.append(left + [gap] + right)
      }
      old = []
      new = []
    }
    for line in hunk {
      switch line {
      case .removed:
        // Removed lines precede added ones: a removal after an addition starts a new pair.
        if !new.isEmpty { put(&lines) }
        old += Self.wrapped(line, side)
      case .added: new += Self.wrapped(line, side)
      case .same:
        put(&lines)
        let both = Self.wrapped(line, side)
        (old, new) = (both, both)
        put(&lines)
      }
    }
    put(&lines)
  }

  private static func wrapped(_ line: WordDiff.Line, _ width: Int) -> [[StyledText]] {
    switch line {
    case .same(let text): wrapped([WordDiff.Run(text, isChanged: false)], " ", .muted, width)
    case .removed(let runs): wrapped(runs, "-", .negative, width)
    case .added(let runs): wrapped(runs, "+", .positive, width)
    }
  }

  private static func wrapped(
    _ runs: [WordDiff.Run], _ sign: PlainText, _ role: Role, _ width: Int
  ) -> [[StyledText]] {
    let room = max(4, width - 2)
    var lines: [[StyledText]] = []
    var line = [StyledText(sign + " ", role, sign == " " ? [] : .bold)]
    var used = 0
    func style(_ run: WordDiff.Run) -> (Role, Attributes) {
      role == .muted ? (.muted, []) : run.isChanged ? (role, .underline) : (.text, [])
    }
    func next() {
      lines.append(line)
      line = [StyledText("  ", role)]
      used = 0
    }
    for run in runs {
      let (textRole, attributes) = style(run)
      for word in words(run.text) {
        let text = PlainText(word)
        if used + text.columns > room, used > 0, !word.allSatisfy(\.isWhitespace) { next() }
        for (index, part) in text.wrapped(to: room).enumerated() {
          if index > 0 { next() }
          let part = part.prefix(columns: room - used)
          line.append(StyledText(part, textRole, attributes))
          used += part.columns
        }
      }
    }
    lines.append(line)
    return lines
  }

  /// Words with the spaces after them.
  private static func words(_ text: String) -> [Substring] {
    var words: [Substring] = []
    var start = text.startIndex
    var isSpace = false
    for index in text.unicodeScalars.indices {
      let space = text.unicodeScalars[index] == " "
      if isSpace, !space {
        words.append(text[start..<index])
        start = index
      }
      isSpace = space
    }
    if start < text.endIndex { words.append(text[start...]) }
    return words
  }
}
