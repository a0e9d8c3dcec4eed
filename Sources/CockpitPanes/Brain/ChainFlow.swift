import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The chain as a flow from left to right: what ran side by side stands one below the other.
///
/// ```text
/// opus-4-6 2.1s ─┬─> web_search 1.2s ────┬─> opus-4-6 0.9s ──> reply 240ch
///                └─> memory_recall       ─┘
/// ```
struct ChainFlow {
  let chain: ToolChain

  private static let connectorWidth = 6

  /// All pieces and the number of lines they take; a long chain wraps.
  func pieces(width: Int) -> (pieces: [Piece], height: Int) {
    var x = 0
    var top = 0
    var height = 0
    var pieces: [Piece] = []
    var before = 0
    for (index, group) in chain.groups.enumerated() {
      let nodes = group.compactMap { chain.nodes.indices.contains($0) ? chain.nodes[$0] : nil }
      guard !nodes.isEmpty else { continue }
      let labels = nodes.map { Self.label($0, width: max(8, width - Self.connectorWidth)) }
      let column = labels.map { $0.reduce(0) { $0 + $1.text.columns } + $0.count - 1 }.max() ?? 0
      if index > 0 {
        if x + Self.connectorWidth + column > width {
          // No room: continue in a new band.
          top += height
          height = 0
          x = 0
          pieces.append(Piece(x: 0, y: top, kind: .symbol(.horizontal)))
          pieces.append(Piece(x: 1, y: top, kind: .text([StyledText(">", .muted)])))
          x = 3
        } else {
          connect(before, nodes.count, x: x, y: top, into: &pieces)
          x += Self.connectorWidth
        }
      }
      for (row, label) in labels.enumerated() {
        let used = label.reduce(0) { $0 + $1.text.columns } + label.count - 1
        pieces.append(Piece(x: x, y: top + row, kind: .text(label)))
        // Extend the line to where the shorter ones of the column join.
        let hasNext = index + 1 < chain.groups.count
        if hasNext, used < column, x + column + Self.connectorWidth <= width {
          pieces.append(
            Piece(x: x + used, y: top + row, kind: .rule(column - used)))
        }
      }
      x += column
      height = max(height, nodes.count)
      before = nodes.count
    }
    return (pieces, top + height)
  }

  /// Something to draw, by its place from the top left of the flow.
  struct Piece: Hashable {
    enum Kind: Hashable {
      case text([StyledText])
      case symbol(Symbol)
      /// A horizontal line after a space.
      case rule(Int)
    }
    var x: Int
    var y: Int
    var kind: Kind
  }

  /// Joins a column of `from` nodes with one of `to` nodes.
  private func connect(_ from: Int, _ to: Int, x: Int, y: Int, into pieces: inout [Piece]) {
    let rows = max(from, to)
    for row in 0..<rows {
      let (left, right) = (row < from, row < to)
      let (up, down) = (row > 0, row < rows - 1)
      func put(_ offset: Int, _ symbol: Symbol) {
        pieces.append(Piece(x: x + offset, y: y + row, kind: .symbol(symbol)))
      }
      if left { put(1, .horizontal) }
      put(2, Self.junction(up: up, down: down, left: left, right: right))
      if right {
        put(3, .horizontal)
        pieces.append(Piece(x: x + 4, y: y + row, kind: .text([StyledText(">", .muted)])))
      }
    }
  }

  private static func junction(up: Bool, down: Bool, left: Bool, right: Bool) -> Symbol {
    switch (up, down, left, right) {
    case (true, true, true, true): .crossing
    case (true, true, true, false): .teeRight
    case (true, true, false, true): .teeLeft
    case (true, false, true, true): .teeBottom
    case (false, true, true, true): .teeTop
    case (true, false, false, true): .cornerBottomLeft
    case (true, false, true, false): .cornerBottomRight
    case (false, true, false, true): .cornerTopLeft
    case (false, true, true, false): .cornerTopRight
    case (true, true, false, false), (true, false, false, false), (false, true, false, false):
      .vertical
    default: .horizontal
    }
  }

  static func role(_ node: ToolChain.Node) -> Role {
    if node.isSuccess == false { return .negative }
    switch node.kind {
    case .llm: return .llm
    case .tool: return .tool
    case .reply: return .textDomain
    case .audio: return .tts
    case .skipped: return .muted
    }
  }

  static func name(_ node: ToolChain.Node) -> PlainText {
    switch node.kind {
    case .llm: PlainText(node.name.without(prefix: "claude-"), limit: 28)
    case .tool: PlainText(node.name, limit: 32)
    case .reply: "reply"
    case .audio: "audio"
    case .skipped: "no reply: " + PlainText(node.name, limit: 40)
    }
  }

  /// Name, size or time of a node; a time that is not known is left out.
  private static func label(_ node: ToolChain.Node, width: Int) -> [StyledText] {
    let attributes: Attributes = node.isCritical ? [.bold, .underline] : []
    var label = [StyledText(name(node).cut(to: max(4, width - 16)), role(node), attributes)]
    if node.kind == .reply, let detail = node.detail {
      label.append(StyledText("\(detail.utf16.count)ch", .muted))
    }
    if let ms = node.durationMs {
      let about: PlainText = node.isApproximate ? "~" : ""
      label.append(StyledText(about + Figures.duration(ms: Double(ms)), .number))
    } else if node.isRunning {
      label.append(StyledText("running", .info))
    }
    if node.isSuccess == false { label.append(StyledText("failed", .negative)) }
    return label
  }
}

/// The same chain on a time axis: one line per node with known times.
struct ChainAxis {
  let chain: ToolChain

  /// The known start and end, in ms since 1970; the title shows the same range.
  var span: ClosedRange<Int64>? {
    let starts = chain.nodes.compactMap { Self.start($0) ?? $0.endMs }
    let ends = chain.nodes.compactMap { $0.endMs ?? Self.end($0) ?? $0.startMs }
    guard let first = (starts + [chain.span?.lowerBound].compactMap { $0 }).min(),
      let last = (ends + [chain.span?.upperBound].compactMap { $0 }).max(), first < last
    else { return nil }
    return first...last
  }

  private static func start(_ node: ToolChain.Node) -> Int64? {
    if let start = node.startMs { return start }
    guard let end = node.endMs, let duration = node.durationMs else { return nil }
    return end - Int64(duration)
  }

  private static func end(_ node: ToolChain.Node) -> Int64? {
    guard let start = node.startMs, let duration = node.durationMs else { return nil }
    return start + Int64(duration)
  }

  /// Draws the axis and as many nodes as there is room for.
  func render(into canvas: inout Canvas) {
    let (width, height) = (canvas.bounds.width, canvas.bounds.height)
    guard width >= 30, height >= 1 else { return }
    guard let span else {
      canvas.write("no times are known", role: .muted)
      return
    }
    let label = min(18, width / 4)
    let bar = width - label - 9
    let length = Double(span.upperBound - span.lowerBound)
    func column(_ ms: Int64) -> Int {
      let share = Double(ms - span.lowerBound) / length
      return label + min(bar - 1, max(0, Int((share * Double(bar)).rounded(.down))))
    }
    var y = 0
    if height > 1 {
      canvas.write("0s", x: label, role: .muted)
      let end = Figures.duration(ms: length)
      canvas.write(end, x: max(label + 3, label + bar - end.columns), role: .muted)
      y = 1
    }
    let nodes = chain.nodes
    let rows = height - y
    guard nodes.count <= rows || rows > 2 else {
      together(y: y, bar: label..<label + bar, column: column, into: &canvas)
      return
    }
    for (index, node) in nodes.enumerated() {
      guard index < rows else { break }
      if index == rows - 1, nodes.count > rows {
        canvas.write("+\(nodes.count - index) more", y: y, role: .muted)
        break
      }
      draw(node, y: y, label: label, column: column, into: &canvas)
      y += 1
    }
  }

  /// All nodes on one line, those of the critical path on top, each with its first letter.
  private func together(
    y: Int, bar: Range<Int>, column: (Int64) -> Int, into canvas: inout Canvas
  ) {
    canvas.write("together", y: y, role: .muted)
    for x in bar { canvas.symbol(.separator, x: x, y: y, role: .faint) }
    let nodes = chain.nodes.filter { !$0.isCritical } + chain.nodes.filter(\.isCritical)
    for node in nodes {
      let moment = node.endMs ?? Self.start(node)
      guard let first = Self.start(node) ?? moment,
        let last = node.endMs ?? Self.end(node) ?? moment
      else { continue }
      let role = ChainFlow.role(node)
      for x in column(first)...max(column(first), column(last)) {
        canvas.symbol(node.isCritical ? .block(8) : .shade, x: x, y: y, role: role)
      }
      canvas.write(
        ChainFlow.name(node).prefix(columns: 1), x: column(first), y: y, role: role,
        attributes: .reverse)
    }
  }

  private func draw(
    _ node: ToolChain.Node, y: Int, label: Int, column: (Int64) -> Int, into canvas: inout Canvas
  ) {
    let role = ChainFlow.role(node)
    canvas.write(
      ChainFlow.name(node).cut(to: label - 1), y: y, role: role,
      attributes: node.isCritical ? .bold : [])
    let (start, end) = (Self.start(node), node.endMs ?? Self.end(node))
    switch (start, end) {
    case (let start?, let end?):
      for x in column(start)...max(column(start), column(end)) {
        canvas.symbol(node.isCritical ? .block(8) : .shade, x: x, y: y, role: role)
      }
    case (let moment?, nil), (nil, let moment?):
      // One moment is known, no stretch.
      canvas.symbol(.vertical, x: column(moment), y: y, role: role)
    case (nil, nil): canvas.write("time unknown", x: label, y: y, role: .faint)
    }
    canvas.writeRight(
      (node.isApproximate ? "~" : "") + Figures.duration(ms: node.durationMs.map(Double.init)),
      y: y,
      role: node.durationMs == nil ? .faint : .number)
  }
}
