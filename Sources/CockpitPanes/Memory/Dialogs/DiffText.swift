import TerminalUI
import CockpitStores
import TerminalCore

/// Two versions of a short text with the words that differ, as lines of a dialog.
struct DiffText {
  /// The older text; empty if nothing changed.
  private(set) var old: [WordDiff.Run] = []
  private(set) var new: [WordDiff.Run] = []

  /// - Parameters: both are one line, as `FactEdit.normalized` gives them.
  init(old: String, new: String) {
    for line in WordDiff(old: old, new: new).hunks.flatMap(\.lines) {
      switch line {
      case .same(let text):
        self.old.append(WordDiff.Run(text, isChanged: false))
        self.new.append(WordDiff.Run(text, isChanged: false))
      case .removed(let runs): self.old += runs
      case .added(let runs): self.new += runs
      }
    }
    if self.old.isEmpty, self.new.isEmpty {
      self.old = [WordDiff.Run(old, isChanged: false)]
      self.new = [WordDiff.Run(new, isChanged: false)]
    }
  }

  /// Two values that are shown whole, such as numbers: half a number says nothing.
  init(value old: String, new: String) {
    self.old = [WordDiff.Run(old, isChanged: old != new)]
    self.new = [WordDiff.Run(new, isChanged: old != new)]
  }

  /// Runs over lines of `width` columns; changed words stand out without colour too.
  static func lines(_ runs: [WordDiff.Run], width: Int, role: Role) -> [[DialogRun]] {
    let field = TextField(runs.map(\.text).joined())
    var marks: [Bool] = []
    for run in runs { marks += Array(repeating: run.isChanged, count: run.text.count) }
    return field.lines(width: width).map { range in
      var line: [DialogRun] = []
      var start = range.lowerBound
      while start < range.upperBound {
        let isChanged = start < marks.count && marks[start]
        var end = start
        while end < range.upperBound, (end < marks.count && marks[end]) == isChanged { end += 1 }
        let text = PlainText(String(field.characters[start..<end]))
        line.append(
          DialogRun(text, isChanged ? role : .text, isChanged ? [.bold, .underline] : []))
        start = end
      }
      return line
    }
  }
}
