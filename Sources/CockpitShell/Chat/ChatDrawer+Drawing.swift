import CockpitChat
import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

extension ChatDrawer {
  @MainActor package func render(
    _ context: LayerContext, in area: Rect, into frame: inout Frame
  ) {
    guard let chat = context.facts.chat else { return }
    frame.canvas.clear(area)
    frame.mark(area, Frame.Target(Target.area))
    frame.canvas.panel(
      frame.owned(PlainText(chat.channel.name, limit: 60)), trailing: trailing(chat), in: area,
      isFocused: focus != .tab
    ) { _ in }
    if focus == .tab, !chat.isIdle {
      frame.canvas.recolor(area, from: .border, to: chat.stateRole)
    }
    let layout =
      layout.area == area
      ? layout
      : ChatDrawerLayout(area: area, inputLines: 1, extras: 0)
    drawHead(chat, layout, into: &frame)
    drawTranscript(chat, layout, into: &frame)
    drawExtras(chat, layout, into: &frame)
    drawInput(chat, layout, into: &frame)
  }

  private func trailing(_ chat: ChatBoard) -> PlainText {
    let others = chat.underWay.subtracting([chat.channel.id]).count
    let more: PlainText = others > 0 ? PlainText(", \(others) elsewhere") : ""
    return PlainText("\(chat.stateWord)") + more
  }

  /// Agent and session, and what the conversation has taken.
  private func drawHead(_ chat: ChatBoard, _ layout: ChatDrawerLayout, into frame: inout Frame) {
    let place = layout.transcript
    guard place.y > layout.area.y + 1, place.width > 0 else { return }
    let agent = chat.channel.agent ?? chat.defaultAgent ?? "default"
    let isModel = chat.abilities.contains(.models)
    var words = (isModel ? "model " : "agent ") + PlainText(agent, limit: 40)
    words += PlainText("  v\(chat.channel.version)")
    if let usage = chat.transcript.usage {
      if let tokens = usage.total { words += "  " + Figures.count(tokens) + " tokens" }
      if let cost = usage.costUSD {
        words += "  " + Figures.cost(cost)
        let unpriced = chat.transcript.unpriced
        if unpriced > 0 { words += PlainText(", \(unpriced) without a cost") }
      }
    }
    if chat.transcript.unreadable > 0 {
      words += PlainText("  \(chat.transcript.unreadable) records could not be read")
    }
    frame.canvas.inside(Rect(x: place.x, y: place.y - 1, width: place.width, height: 1)) {
      $0.write(words.cut(to: place.width), role: .muted)
    }
  }

  private func drawTranscript(
    _ chat: ChatBoard, _ layout: ChatDrawerLayout, into frame: inout Frame
  ) {
    let place = layout.transcript
    guard !place.isEmpty else { return }
    let entries = chat.transcript.entries
    guard !entries.isEmpty else {
      let words: PlainText =
        chat.abilities.contains(.models)
        ? "Nothing was said here yet. The server keeps nothing: all of a conversation goes to it with every message, and stays in a file on this machine."
        : "Nothing was said here yet. What you write goes to the agent; it may use its tools, and what it does is in PULSE."
      frame.canvas.inside(place) { canvas in
        for (y, line) in words.wrapped(to: place.width, limit: place.height).enumerated() {
          canvas.write(line, y: y, role: .muted)
        }
      }
      return
    }
    for (y, shown) in scroll.shown.prefix(place.height).enumerated() {
      let row = Rect(x: place.x, y: place.y + y, width: place.width, height: 1)
      frame.canvas.inside(row) { $0.write(shown.line, y: 0) }
      if shown.place.entry < entries.count {
        frame.mark(row, Frame.Target(Target.entry(entries[shown.place.entry].id)))
      }
    }
    if !scroll.isFollowing, scroll.hasMore {
      let more: PlainText = " more below: G "
      frame.canvas.write(
        more, x: max(place.x, place.maxX - more.columns), y: place.maxY - 1, role: .warning)
    }
  }

  private func drawExtras(_ chat: ChatBoard, _ layout: ChatDrawerLayout, into frame: inout Frame) {
    frame.canvas.inside(layout.extras) { canvas in
      var y = 0
      let width = canvas.bounds.width
      if let problem = chat.diskProblem {
        canvas.write(PlainText(problem, limit: 400).cut(to: width), y: y, role: .negative)
        y += 1
      }
      pictures.draw(y: y, into: &canvas)
      y += pictures.height
      if let first = chat.queued.first {
        let count = PlainText("\(chat.queued.count) queued: ")
        canvas.write((count + PlainText(first, limit: 200)).cut(to: width), y: y, role: .warning)
        y += 1
      }
      if let voice = chat.voice { y = drawVoice(voice, y: y, into: &canvas) }
      if let search {
        let x = canvas.write("/", y: y, role: .key)
        canvas.inside(Rect(x: x, y: y, width: max(0, width - x), height: 1)) {
          search.render(into: &$0, isFocused: true)
        }
      }
    }
  }

  private func drawInput(_ chat: ChatBoard, _ layout: ChatDrawerLayout, into frame: inout Frame) {
    let place = layout.input
    guard !place.isEmpty else { return }
    let hasFocus = focus == .input
    frame.mark(place, Frame.Target(Target.input))
    frame.canvas.inside(
      Rect(x: place.x, y: place.y - 1, width: place.width, height: 1)
    ) { $0.horizontalRule(y: 0, role: hasFocus ? .focus : .border) }
    let width = ChatDrawerLayout.inputWidth(layout.area)
    let lines = input.lines(width: width)
    let current = input.cursorLine(in: lines)
    let first = max(0, min(current - place.height + 1, lines.count - place.height))
    frame.canvas.inside(place) { canvas in
      canvas.write(">", role: hasFocus ? .focus : .muted, attributes: .bold)
      guard hasFocus || !input.characters.isEmpty else {
        canvas.write("i writes here", x: 2, role: .muted)
        return
      }
      for (y, range) in lines.dropFirst(first).prefix(place.height).enumerated() {
        canvas.write(PlainText(String(input.characters[range])), x: 2, y: y, role: .input)
      }
      guard hasFocus, search == nil else { return }
      let start = lines[current].lowerBound
      let x = 2 + PlainText(String(input.characters[start..<input.cursor])).columns
      let isInLine = input.cursor < lines[current].upperBound
      let under = isInLine ? PlainText(String(input.characters[input.cursor])) : " "
      canvas.write(
        under.isEmpty ? " " : under, x: x, y: current - first, role: .input, attributes: .reverse)
      canvas.placeCursor(x: x, y: current - first, isVisible: true)
    }
  }
}
