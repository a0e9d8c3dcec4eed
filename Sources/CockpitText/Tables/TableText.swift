import CockpitStores
import TerminalCore

/// The lines of a query's table as text: the same on the screen and in a pipe.
package struct TableText: Hashable, Sendable {
  /// The headings: keys, the figure, and how many rows it is made of where it is not a count.
  package let heads: [PlainText]
  /// A cell for each heading.
  package let cells: [[PlainText]]
  /// The length of each line's bar, from 0 to 1.
  package let bars: [Double]
  /// Number of key columns, from the left.
  private let keyCount: Int

  /// - Parameters:
  ///   - shown: the lines to write; nil means all.
  ///   - nowMs: in ms since 1970: times of other days include their date.
  package init(
    _ table: QueryTable, shown: Range<Int>? = nil, clock: ClockFormat, nowMs: Int64
  ) {
    let hasRows = table.figureName != "count"
    keyCount = table.keyNames.count
    heads =
      table.keyNames.map { PlainText($0) } + [PlainText(table.figureName)]
      + (hasRows ? ["rows"] : [])
    let range = (shown ?? table.lines.indices).clamped(to: table.lines.indices)
    let greatest = table.lines.compactMap(\.figure).max() ?? 0
    let today = clock.dayNumber(ms: nowMs)
    let isToday = table.lines.allSatisfy { line in
      line.keys.allSatisfy { key in
        guard case .time(let range) = key else { return true }
        return clock.dayNumber(ms: range.lowerBound) == today
      }
    }
    cells = table.lines[range].map { line in
      let keys = line.keys.enumerated().map { index, key in
        Self.text(key, table.buckets[index], clock, isToday: isToday)
      }
      return keys + [Self.figure(line.figure, table.unit)]
        + (hasRows ? [Figures.count(line.rows)] : [])
    }
    bars = table.lines[range].map { line in
      guard let figure = line.figure, figure > 0, greatest > 0 else { return 0 }
      return Double(figure) / Double(greatest)
    }
  }

  /// The columns' positions.
  package struct Layout: Hashable, Sendable {
    /// Widths including the headings.
    package var widths: [Int]
    /// Columns of the longest bar; 0 where there is no room for one.
    package var bar: Int
  }

  /// The columns between two columns.
  package static let gap = 2

  /// Bars get the remaining width; keys are cut to make room for numbers.
  ///
  /// - Parameter width: columns.
  package func layout(width: Int) -> Layout {
    var widths = heads.indices.map { column in
      cells.reduce(heads[column].columns) { max($0, $1[column].columns) }
    }
    let room = width - (width >= 50 ? 12 : 0)
    func used() -> Int { widths.reduce(0) { $0 + $1 + Self.gap } - Self.gap }
    while used() > room,
      let widest = widths.indices.prefix(keyCount).max(by: { widths[$0] < widths[$1] }),
      widths[widest] > 6
    {
      widths[widest] -= 1
    }
    let bar = min(40, width - used() - Self.gap)
    return Layout(widths: widths, bar: max(0, bar < 4 ? 0 : bar))
  }

  /// One line without its bar; keys begin at the left, numbers end at the right of their columns.
  package func text(_ cells: [PlainText], _ layout: Layout) -> PlainText {
    row(cells, layout).joined(separator: PlainText.spaces(Self.gap))
  }

  /// The cells in the widths of their columns.
  package func row(_ cells: [PlainText], _ layout: Layout) -> [PlainText] {
    cells.enumerated().map { column, cell in
      let width = layout.widths[column]
      return isKey(column) ? cell.cut(to: width).padded(to: width) : cell.leftPadded(to: width)
    }
  }

  /// Whether a column is one of the keys.
  package func isKey(_ column: Int) -> Bool { column < keyCount }

  /// Heading and lines with their bars, for a pipe.
  ///
  /// - Parameter isASCII: whether bars are made of `#`.
  package func plain(width: Int, isASCII: Bool) -> [PlainText] {
    let layout = layout(width: width)
    return [trimmed(text(heads, layout))]
      + zip(cells, bars).map { cells, bar in
        trimmed(text(cells, layout) + Self.bar(bar, layout.bar, isASCII: isASCII))
      }
  }

  private func trimmed(_ text: PlainText) -> PlainText {
    var string = Substring(text.description)
    while string.last == " " { string.removeLast() }
    return PlainText(string)
  }

  private static func bar(_ part: Double, _ width: Int, isASCII: Bool) -> PlainText {
    guard width > 0, part > 0 else { return "" }
    let eighths = max(1, Int((part * Double(width * 8)).rounded()))
    guard !isASCII else {
      return PlainText("  " + String(repeating: "#", count: max(1, (eighths + 4) / 8)))
    }
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return PlainText("  " + String(repeating: "█", count: eighths / 8) + rest)
  }

  // MARK: cells

  private static func text(
    _ key: QueryTable.Key, _ bucket: QueryBucket?, _ clock: ClockFormat, isToday: Bool
  ) -> PlainText {
    switch key {
    case .text(let text, let name):
      let shown = PlainText(name ?? text, limit: 200)
      // Make an invisible value visible.
      return shown.columns > 0 ? shown : "(empty)"
    case .time(let range):
      let ms = range.lowerBound
      if bucket?.isDay == true { return clock.day(ms: ms) }
      let time = clock.time(ms: ms)
      let short = bucket?.isBelowMinute == true ? time : time.prefix(columns: 5)
      return isToday ? short : clock.monthDay(ms: ms) + " " + short
    }
  }

  /// A figure with its unit.
  package static func figure(_ figure: Int64?, _ unit: QueryTable.Unit) -> PlainText {
    guard let figure else { return "-" }
    let value = Double(figure) / Double(unit.scale)
    switch unit {
    case .count: return Figures.count(Int(figure))
    case .usd: return Figures.cost(value)
    case .milliseconds:
      return figure < 0 ? decimal(figure, unit) + "ms" : Figures.duration(ms: value)
    case .tokens where figure % unit.scale == 0:
      return Figures.count(Int(figure / unit.scale))
    case .tokens: return PlainText(Figures.fixed(value, 1))
    case .number: return decimal(figure, unit)
    }
  }

  /// All its digits: `0.0084`.
  package static func decimal(_ figure: Int64, _ unit: QueryTable.Unit) -> PlainText {
    let magnitude = figure.magnitude
    let scale = UInt64(unit.scale)
    var text = "\(figure < 0 ? "-" : "")\(magnitude / scale)"
    if magnitude % scale != 0 {
      let digits = String(magnitude % scale)
      let places = String(scale).count - 1
      var rest = String(repeating: "0", count: places - digits.count) + digits
      while rest.last == "0" { rest.removeLast() }
      text += "." + rest
    }
    return PlainText(text)
  }
}
