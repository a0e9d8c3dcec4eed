import TerminalUI
import CockpitText
import CockpitStores
import TerminalCore

/// The chain of the chosen answer: as a flow, on a time axis, and as totals.
struct ChainPanel {
  /// The chosen answer; nil if there is none.
  let shown: ShownChain?
  let hasCall: Bool
  /// The name of the answer; nil if none is shown.
  let answer: PlainText?
  let scroll: Int
  let hasFocus: Bool

  @MainActor func render(_ facts: ViewContext, _ layout: BrainLayout, into frame: inout Frame) {
    guard !layout.chain.isEmpty else { return }
    var title: PlainText = "tool chain"
    if answer == nil, let shown { title += "  " + shown.title }
    let critical = shown.map { Self.critical($0.chain) } ?? ""
    let room = layout.chain.width - title.columns - 8
    let names = [answer, critical.isEmpty ? nil : critical].compactMap { $0 }
    let whole = names.joined(separator: "  ")
    var area = layout.draw(
      .chain, title, trailing: whole.columns <= room ? whole : (names.first ?? "").cut(to: room),
      hasFocus: hasFocus,
      behind: (nil, shown.map { RowsBehind($0.chain.nodes.map(\.rowID), "steps") }), into: &frame)
    guard !area.isEmpty else { return }
    guard let shown else {
      frame.canvas.inside(area) { canvas in
        let text: PlainText =
          facts.isUnheard
          ? "How an answer came about, from model to tools to reply, stands here."
          : answer != nil
            ? BrainPane.nothingOnRecord
            : !hasCall
              ? "no answer of the bot among the rows that are here"
              : "The selected call belongs to no turn, and to no message of which more is here; "
                + facts.keys.text(.previousTurn) + " " + facts.keys.text(.nextTurn)
                + " walk the answers."
        for (y, line) in text.wrapped(to: canvas.bounds.width).enumerated() {
          canvas.write(line, y: y, role: .muted)
        }
      }
      return
    }
    // What the title has no room for stands below.
    if whole.columns > room, area.height > 3 {
      let line = area.takeBottom(1)
      frame.canvas.inside(line) { $0.write(critical.cut(to: line.width), role: .heading) }
    }
    Self.draw(shown.chain, scroll: scroll, in: area, into: &frame)
    let rows = shown.chain.nodes.compactMap(\.rowID)
    if area.height > 1, !rows.isEmpty {
      frame.mark(
        Rect(x: area.x, y: area.maxY - 1, width: area.width, height: 1),
        .figure(RowsBehind(rows, "steps")))
    }
    // Nothing in the flow is selected: the reader is at its top line.
    if hasFocus { frame.canvas.placeCursor(x: area.x, y: area.y) }
  }

  /// Flow, then axis, then totals; with little room only the flow.
  static func draw(_ chain: ToolChain, scroll: Int, in area: Rect, into frame: inout Frame) {
    var rest = area
    let flow = ChainFlow(chain: chain).pieces(width: area.width)
    if rest.height > flow.height {
      let sums = rest.takeBottom(1)
      frame.write(Self.sums(chain), in: sums)
    }
    let rows = min(flow.height, max(1, rest.height))
    let flowArea = rest.takeTop(rows)
    let top = max(0, min(scroll, flow.height - rows))
    frame.canvas.inside(flowArea) { canvas in
      for piece in flow.pieces {
        let y = piece.y - top
        switch piece.kind {
        case .symbol(let symbol): canvas.symbol(symbol, x: piece.x, y: y, role: .muted)
        case .rule(let columns):
          for x in piece.x + 1..<piece.x + columns + 1 {
            canvas.symbol(.horizontal, x: x, y: y, role: .muted)
          }
        case .text(let spans):
          var x = piece.x
          for span in spans {
            x =
              canvas.write(span.text, x: x, y: y, role: span.role, attributes: span.attributes) + 1
          }
        }
      }
      if flow.height > rows {
        canvas.writeRight("+\(flow.height - rows) lines", y: rows - 1, role: .faint)
      }
    }
    if rest.height >= 3 { _ = rest.takeTop(1) }
    guard rest.height >= 2 else { return }
    frame.canvas.inside(rest) { ChainAxis(chain: chain).render(into: &$0) }
  }

  private static func critical(_ chain: ToolChain) -> PlainText {
    guard let critical = chain.criticalMs else { return "no durations known" }
    var text: PlainText = "critical path " + Figures.duration(ms: Double(critical))
    if let span = chain.spanMs { text += " of " + Figures.duration(ms: Double(span)) }
    return text
  }

  private static func sums(_ chain: ToolChain) -> [StyledText] {
    let models = chain.nodes.count { $0.kind == .llm }
    let tools = chain.nodes.count { $0.kind == .tool }
    var spans = [
      StyledText("\(models) llm", .llm),
      StyledText(tools == 1 ? "1 tool" : "\(tools) tools", .tool),
      StyledText(
        "tokens " + Figures.short(chain.tokensIn.map(Double.init)) + "/"
          + Figures.short(chain.tokensOut.map(Double.init)), .number),
      StyledText("cost " + Figures.cost(chain.costUSD), .cost),
    ]
    let unknown = chain.unknownDurations
    if unknown > 0 { spans.append(StyledText("\(unknown) without a known time", .muted)) }
    switch chain.path {
    case .provider: spans.append(StyledText("tools of the realtime provider", .muted))
    case .brain, .text: break
    }
    return PromptDocument.spaced(spans)
  }
}
