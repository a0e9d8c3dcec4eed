import CockpitStores
import TerminalCore

/// The brackets beside the feed: rows of one answer or turn belong together.
///
/// Turns that overlap have lanes of their own, as far as there are lanes. Lanes are given from the oldest turn
/// on, some lines below the screen, so that new rows do not move the brackets of those that are seen.
struct TurnGutter {
  /// What a row shows in one lane.
  struct Cell: Hashable {
    enum Shape: UInt8, Hashable {
      case none, top, middle, bottom, passing
    }

    var shape = Shape.none
    /// Whether the row was linked by place and time alone.
    var isInferred = false
    /// Whether the turn is that of the selected row.
    var isSelected = false
  }

  /// Lines below the screen that have a say in the lanes.
  static let lookahead = 30

  /// Number of lanes at a width.
  static func lanes(width: Int) -> Int { width >= 100 ? 2 : width >= 52 ? 1 : 0 }

  /// The cells of each line, from the top one.
  private(set) var lines: [[Cell]]

  /// - Parameters:
  ///   - marks: of the lines on the screen and of some below it, the newest first.
  ///   - shown: how many of them are on the screen.
  ///   - selected: the turn of the selected row.
  init(_ marks: [FeedMark], shown: Int, lanes: Int, selected: Int?) {
    lines = Array(repeating: Array(repeating: Cell(), count: lanes), count: shown)
    guard lanes > 0 else { return }
    struct Span {
      var bracket: FeedBracket
      var first: Int
      var last: Int
    }
    var spans: [Int: Span] = [:]
    for (line, mark) in marks.enumerated() {
      // A single line needs no bracket.
      guard let bracket = mark.bracket, bracket.newest != bracket.oldest else { continue }
      if spans[bracket.turn] == nil {
        spans[bracket.turn] = Span(bracket: bracket, first: line, last: line)
      }
      spans[bracket.turn]?.last = line
    }
    let ordered = spans.values.sorted {
      ($0.bracket.times.lowerBound, $0.bracket.turn) < (
        $1.bracket.times.lowerBound, $1.bracket.turn
      )
    }
    var ends = Array(repeating: Int64.min, count: lanes)
    for span in ordered {
      let times = span.bracket.times
      // Two turns in one lane would look like one.
      guard let lane = ends.firstIndex(where: { $0 < times.lowerBound }) else { continue }
      ends[lane] = times.upperBound
      let isSelected = span.bracket.turn == selected
      for line in 0..<shown {
        let mark = marks[line]
        if let own = mark.bracket, own.turn == span.bracket.turn, own.newest != own.oldest {
          let isTop = line == span.first && isEnd(own.newest, of: span.first, marks)
          let isBottom = line == span.last && isEnd(own.oldest, of: span.last, marks)
          lines[line][lane] = Cell(
            shape: isTop ? .top : isBottom ? .bottom : .middle, isInferred: own.isInferred,
            isSelected: isSelected)
        } else if line > span.first || !isEnd(span.bracket.newest, of: span.first, marks),
          line < span.last || !isEnd(span.bracket.oldest, of: span.last, marks),
          lines[line][lane].shape == .none
        {
          lines[line][lane] = Cell(shape: .passing, isSelected: isSelected)
        }
      }
    }

    func isEnd(_ row: RowID, of line: Int, _ marks: [FeedMark]) -> Bool {
      marks[line].row == row
    }
  }
}

extension TurnGutter.Cell {
  /// Draws the cell of one lane.
  func render(x: Int, background: Role?, into canvas: inout Canvas) {
    let symbol: Symbol? =
      switch shape {
      case .none: nil
      case .top: .bracketTop
      case .bottom: .bracketBottom
      case .middle: isInferred ? .dashed : .vertical
      case .passing: .vertical
      }
    guard let symbol else { return }
    canvas.symbol(
      symbol, x: x, y: 0, role: isSelected ? .focus : shape == .passing ? .faint : .muted,
      attributes: isSelected ? .bold : [], background: background)
  }
}
