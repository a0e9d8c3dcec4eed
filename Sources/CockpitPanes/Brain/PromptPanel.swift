import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The prompt inspector: the prompt and its version, its parts with their sizes, and below open
/// parts the text or its changes.
struct PromptPanel {
  let pane: BrainPane

  @MainActor func render(_ facts: ViewContext, _ layout: BrainLayout, into frame: inout Frame) {
    guard !layout.prompt.isEmpty else { return }
    let prompt = pane.inspected(facts)
    var title: PlainText = "prompt"
    if let prompt { title += "  " + prompt.title }
    let area = layout.draw(
      .prompt, title, trailing: prompt.map { trailing($0, facts) } ?? "",
      hasFocus: pane.focus == .prompt, into: &frame)
    guard !area.isEmpty else { return }
    var rest = area
    sources(facts, in: rest.takeTop(1), into: &frame)
    if pane.isFinding || !pane.findText.isEmpty, rest.height > 2 {
      finding(facts, layout, in: rest.takeBottom(1), into: &frame)
    }
    guard let prompt else {
      frame.canvas.inside(rest) { canvas in
        for (y, line) in Self.nothing(pane, facts).wrapped(to: rest.width)
          .enumerated()
        {
          canvas.write(line, y: y, role: .muted)
        }
      }
      return
    }
    if rest.height > 3 { summary(prompt, in: rest.takeTop(1), into: &frame) }
    content(
      PromptDocument(prompt, pane.reading(room: rest.height), width: Self.textWidth(area)),
      in: rest, into: &frame)
  }

  /// Columns of the text: the content without the indent.
  static func textWidth(_ area: Rect) -> Int { max(4, area.width - 2) }

  @MainActor private static func nothing(
    _ pane: BrainPane, _ facts: ViewContext
  ) -> PlainText {
    if facts.isUnheard { return "What the model was told, part by part, stands here." }
    return switch pane.shownSource(facts) {
    case .live: "the session has not sent this prompt"
    case .call where pane.subject(facts) != nil: BrainPane.nothingOnRecord
    case .call: "no call is selected: select one to see its prompts"
    case .reply: "the reply carries no prompts"
    }
  }

  @MainActor private func trailing(_ prompt: InspectedPrompt, _ facts: ViewContext) -> PlainText {
    var words: [PlainText] = []
    if case .live = pane.shownSource(facts), !pane.isOfSession(facts) {
      words.append("live session, not this answer")
    } else if pane.subject(facts) != nil {
      words.append(pane.subjectName(facts))
    }
    if let number = prompt.number, let newest = prompt.newest {
      words.append(number == newest ? "v\(number)" : "v\(number) of \(newest)")
    }
    if let updated = prompt.updatedMs {
      let age = Figures.age(ms: facts.nowMs - updated)
      words.append(age + " ago")
    }
    if pane.isComparing { words.append("= diff") }
    return words.joined(separator: "  ")
  }

  @MainActor private func sources(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    var x = area.x
    let shown = pane.shownSource(facts)
    let state = pane.session(facts)?.promptState
    for source in pane.sources(facts) {
      var name: PlainText
      var isThere = true
      switch source {
      case .live(let kind):
        name = PlainText(kind.rawValue)
        isThere = state.flatMap { kind.snapshot(in: $0)?.replyPrompts } != nil
        if area.width < 60 { name = name.prefix(columns: 5) }
      case .call: name = "call"
      case .reply: name = "reply"
      }
      let isShown = source == shown
      let text = isShown ? "[" + name + "]" : " " + name + " "
      guard x + text.columns <= area.maxX else { return }
      frame.canvas.write(
        text, x: x, y: area.y, role: isShown ? .focus : isThere ? .muted : .faint,
        attributes: isShown ? .bold : [])
      frame.mark(
        Rect(x: x, y: area.y, width: text.columns, height: 1), .brain(.source(source)))
      x += text.columns
    }
  }

  private func summary(_ prompt: InspectedPrompt, in area: Rect, into frame: inout Frame) {
    var spans = [
      StyledText(Figures.short(Double(prompt.content.length)) + " ch", .number, .bold),
      // Four characters a token is the usual rule of thumb for English.
      StyledText("~" + Figures.short(Double(prompt.content.length) / 4) + " tok", .muted),
    ]
    if let first = prompt.firstLength, first > 0, prompt.newest ?? 1 > 1 {
      let growth = Double(prompt.content.length - first) / Double(first)
      let sign: PlainText = growth >= 0.005 ? "+" : ""
      spans.append(StyledText(sign + Figures.percent(growth) + " since v1", .info))
    }
    if prompt.captures > 1 {
      spans.append(StyledText("same text \(prompt.captures)x", .muted))
    }
    if let source = prompt.source {
      spans.append(StyledText(PlainText(source, limit: 60), .muted))
    }
    if pane.isComparing, prompt.previous == nil {
      spans.append(StyledText("nothing earlier to compare with", .warning))
    }
    frame.write(PromptDocument.spaced(spans), in: area)
  }

  @MainActor private func content(
    _ document: PromptDocument, in area: Rect, into frame: inout Frame
  ) {
    guard document.count > 0 else {
      frame.canvas.inside(area) { $0.write("this row carries no prompts", role: .muted) }
      return
    }
    let height = area.height
    let top = max(0, min(pane.promptCursor.scroll, document.count - height))
    let needle = PlainText(pane.findText, limit: 200)
    for offset in 0..<min(height, document.count - top) {
      let line = top + offset
      guard let place = document.place(of: line) else { break }
      let row = Rect(x: area.x, y: area.y + offset, width: area.width, height: 1)
      frame.mark(row, .brain(.promptLine(line)))
      let section = document.sections[place.section]
      let isSelected = pane.focus == .prompt && line == pane.promptCursor.line
      let back: Role? = isSelected ? .selection : nil
      if isSelected {
        frame.canvas.inside(row) { canvas in
          canvas.fill(canvas.bounds, background: .selection)
          canvas.placeCursor()
        }
      }
      if place.offset == 0 {
        frame.canvas.symbol(
          section.isOpen ? .unfolded : .folded, x: row.x, y: row.y, role: .focus, background: back)
        let text = Rect(x: row.x + 2, y: row.y, width: row.width - 2, height: 1)
        var heading = section.heading
        if section.isCut {
          heading.append(StyledText("+\(section.wholeCount - section.bodyCount) lines", .muted))
        }
        frame.write(PromptDocument.spaced(heading), in: text, background: back)
        continue
      }
      let text = Rect(x: row.x + 2, y: row.y, width: row.width - 2, height: 1)
      let index = place.offset - 1
      if let (id, layout, source) = section.text {
        let line = layout.lines[index]
        frame.canvas.inside(text) { $0.write(line, background: back) }
        guard !needle.isEmpty else { continue }
        let hits = pane.layouts.hits(
          of: pane.findText, in: id, width: Self.textWidth(area), source)
        for hit in (hits[index] ?? []).prefix(50) {
          frame.canvas.inside(text) {
            $0.recolor(
              Rect(x: hit.lowerBound, width: hit.count, height: 1),
              role: isSelected ? .currentMatch : .match)
          }
        }
      } else {
        frame.write(section.lines[index], in: text, background: back)
      }
    }
  }

  @MainActor private func finding(
    _ facts: ViewContext, _ layout: BrainLayout, in area: Rect, into frame: inout Frame
  ) {
    frame.canvas.inside(area) { canvas in
      canvas.write("/", role: .key, attributes: .bold)
      canvas.inside(Rect(x: 1, width: max(0, canvas.bounds.width - 14), height: 1)) { canvas in
        if pane.isFinding {
          pane.findField.render(into: &canvas, placeholder: "find in the prompt", isFocused: true)
        } else {
          canvas.write(PlainText(pane.findText, limit: 200), role: .input)
        }
      }
      guard !pane.findText.isEmpty else { return }
      let hits = pane.promptHits(facts, layout)
      let text: PlainText =
        hits.isEmpty ? "no hit" : hits.count == 1 ? "1 line" : "\(hits.count) lines"
      canvas.writeRight(text, role: hits.isEmpty ? .warning : .muted)
    }
  }
}
