import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// Where list and text are: beside each other on a wide screen, else one of them.
struct GatewayMemoryLayout {
  /// The whole panels, with their borders; empty for one that is not shown.
  var listPanel = Rect(x: 0, width: 0, height: 0)
  var textPanel = Rect(x: 0, width: 0, height: 0)
  /// The row of the typed words, and of what is shown.
  var bar: Rect
  let hasBoxes: Bool

  /// The columns from which on there is room for both.
  private static let wide = 100

  init(_ body: Rect, isReading: Bool, focus: GatewayMemoryPane.Panel) {
    bar = Rect(x: body.x, y: body.y, width: body.width, height: min(1, body.height))
    let rest = Rect(
      x: body.x, y: body.y + bar.height, width: body.width, height: body.height - bar.height)
    hasBoxes = body.width >= Self.wide && body.height >= 20
    guard body.width >= Self.wide else {
      if isReading, focus == .text { textPanel = rest } else { listPanel = rest }
      return
    }
    let width = min(64, rest.width * 2 / 5)
    listPanel = Rect(x: rest.x, y: rest.y, width: width, height: rest.height)
    textPanel = Rect(
      x: rest.x + width, y: rest.y, width: rest.width - width, height: rest.height)
  }

  var list: Rect { PanelFrame.content(of: listPanel, hasBox: hasBoxes) }
  var text: Rect { PanelFrame.content(of: textPanel, hasBox: hasBoxes) }
}

/// The text of an opened file, as lines of a width.
@MainActor
struct GatewayMemoryText {
  struct Line {
    var text: PlainText
    /// Counted from 1, at the first row of a line of the file.
    var number: Int?
    var role = Role.text
  }

  private(set) var lines: [Line] = []
  /// Whether the file itself is here.
  private(set) var isThere = false
  /// Which file it is, and when it was read.
  private(set) var trailing: PlainText

  /// Bytes of a file that are shown; agents read no longer ones.
  static let limit = 128 << 10
  /// Columns before the text, for the numbers of the lines.
  static let margin = 6

  init(_ opened: GatewayMemoryPane.Opened, _ facts: ViewContext, width: Int) {
    let entry = facts.findings[opened.lookup]
    switch opened.lookup {
    case .file(let agent, let name), .passage(let agent, let name),
      .workspaceFile(let agent, let name):
      trailing = PlainText(agent, limit: 40) + "/" + PlainText(name, limit: 60)
    default: trailing = ""
    }
    guard case .file(let file)? = entry?.finding else {
      say(
        entry?.problem.map { PlainText($0, limit: 400) } ?? facts.awaited(entry), .warning, width)
      return
    }
    if let at = entry?.atMs { trailing += "  " + facts.asOf(readMs: at) }
    if let problem = entry?.problem {
      say("Not refreshed: " + PlainText(problem, limit: 400), .warning, width)
    }
    guard !file.isMissing, let text = file.text else {
      say(
        file.isMissing
          ? "This file is missing: the gateway looks for it and does not find it."
          : "The gateway sent no text of this file"
            + (file.type.map { ": it is " + PlainText($0, limit: 60) } ?? "") + ".",
        .warning, width)
      return
    }
    isThere = true
    if text.isEmpty { say("The file is empty.", .muted, width) }
    let isLong = text.utf8.count > Self.limit
    let shown = isLong ? String(decoding: text.utf8.prefix(Self.limit), as: UTF8.self) : text
    let room = max(8, width - Self.margin)
    for (index, line) in PlainText.lines(shown).enumerated() {
      let rows = line.isEmpty ? [line] : line.wrapped(to: room)
      for (row, part) in rows.enumerated() {
        lines.append(Line(text: part, number: row == 0 ? index + 1 : nil))
      }
    }
    if isLong {
      say("Only the first " + Figures.bytes(Self.limit) + " are shown.", .warning, width)
    }
  }

  /// The first row of a line of the file.
  func place(ofLine number: Int) -> Int {
    lines.firstIndex { ($0.number ?? 0) >= number } ?? 0
  }

  private mutating func say(_ words: PlainText, _ role: Role, _ width: Int) {
    lines += words.wrapped(to: max(8, width - Self.margin), limit: 8).map {
      Line(text: $0, role: role)
    }
  }
}

extension GatewayMemoryPane {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let layout = GatewayMemoryLayout(body, isReading: opened != nil, focus: focus)
    renderBar(facts, layout, into: &frame)
    if !layout.listPanel.isEmpty { renderList(facts, layout, into: &frame) }
    if !layout.textPanel.isEmpty { renderText(facts, layout, into: &frame) }
    if facts.status.overall != .live { frame.canvas.fade(body) }
  }

  @MainActor private func renderBar(
    _ facts: ViewContext, _ layout: GatewayMemoryLayout, into frame: inout Frame
  ) {
    guard !layout.bar.isEmpty else { return }
    frame.canvas.inside(layout.bar) { canvas in
      guard let field else {
        let words: PlainText =
          opened != nil
          ? facts.keys.text(.back) + " closes the text."
          : search != nil
            ? facts.keys.text(.back) + " shows the files again."
            : folder != nil
              ? facts.keys.text(.back) + " goes up."
              : "Files that the gateway names for each agent."
        let age = age(facts)
        canvas.write(
          words.cut(to: max(0, canvas.bounds.width - 3 - age.columns)), x: 1, role: .muted)
        canvas.write(
          age, x: canvas.bounds.width - age.columns - 1,
          role: facts.isGatewayAway ? .warning : .muted)
        return
      }
      canvas.write("s>", x: 1, role: .key, attributes: .bold)
      let agent = "memory of " + PlainText(agentToAsk, limit: 30)
      let right = agent.cut(to: max(0, canvas.bounds.width / 3))
      canvas.write(right, x: canvas.bounds.width - right.columns - 1, role: .muted)
      let room = Rect(x: 4, width: canvas.bounds.width - 6 - right.columns, height: 1)
      canvas.inside(room) {
        field.render(into: &$0, placeholder: "what to look for", isFocused: true)
      }
    }
  }

  /// When the list was read: the oldest part of it counts.
  @MainActor private func age(_ facts: ViewContext) -> PlainText {
    let lookups =
      search.map { [GatewayLookup.search(agent: $0.agent, words: $0.words)] }
      ?? folder.map { [$0.lookup] }
      ?? (facts.gateway?.agents ?? []).prefix(Self.maximumAgents).map { .files(agent: $0.id) }
    guard let ms = lookups.compactMap({ facts.findings[$0]?.atMs }).min() else { return "" }
    return (facts.isGatewayAway ? "not connected, " : "") + facts.asOf(readMs: ms)
  }

  @MainActor private func renderList(
    _ facts: ViewContext, _ layout: GatewayMemoryLayout, into frame: inout Frame
  ) {
    let rows = rows(facts, layout)
    let area = PanelFrame(
      title: search != nil ? "search" : folder != nil ? "workspace" : "agents and files",
      isFocused: focus == .list,
      hasBox: layout.hasBoxes
    ).draw(in: layout.listPanel, Frame.Target(Target.line(0)), into: &frame)
    let cursor = cursor.settled(in: list(facts, layout))
    for (y, line) in (cursor.scroll..<min(rows.count, cursor.scroll + area.height)).enumerated() {
      let place = Rect(x: area.x, y: area.y + y, width: area.width, height: 1)
      frame.mark(place, Frame.Target(Target.line(line)))
      let row = rows[line]
      frame.canvas.inside(place) { canvas in
        let trailing = row.trailing.cut(to: canvas.bounds.width / 2)
        let room = canvas.bounds.width - (trailing.isEmpty ? 0 : trailing.columns + 1)
        canvas.write(
          row.text.cut(to: max(0, room)), role: row.isHeading ? .heading : row.role,
          attributes: row.isHeading ? .bold : [])
        canvas.writeRight(trailing, role: row.role == .text ? .muted : row.role)
        if line == cursor.line {
          canvas.paintRow(0, background: .selection, attributes: focus == .list ? .bold : [])
        }
      }
    }
  }

  @MainActor private func renderText(
    _ facts: ViewContext, _ layout: GatewayMemoryLayout, into frame: inout Frame
  ) {
    guard let opened else {
      let area = PanelFrame(title: "text", hasBox: layout.hasBoxes, hasDivider: true)
        .draw(in: layout.textPanel, into: &frame)
      frame.canvas.inside(area) { canvas in
        let words: PlainText =
          facts.isGatewayAway
          ? facts.keys.text(.open) + " opens what was read; the rest waits for the connection."
          : facts.keys.text(.open) + " reads the file under the cursor; "
            + facts.keys.text(.search) + " searches the memory of its agent."
        for (y, line) in words.wrapped(to: max(8, canvas.bounds.width), limit: 3).enumerated() {
          canvas.write(line, y: y, role: .muted)
        }
      }
      return
    }
    let text = GatewayMemoryText(opened, facts, width: layout.text.width)
    let area = PanelFrame(
      title: "text", trailing: text.trailing, isFocused: focus == .text,
      hasBox: layout.hasBoxes, hasDivider: true
    ).draw(in: layout.textPanel, Frame.Target(Target.text), into: &frame)
    let start = max(0, min(first, text.lines.count - area.height))
    frame.canvas.inside(area) { canvas in
      for (y, line) in text.lines.dropFirst(start).prefix(area.height).enumerated() {
        if let number = line.number {
          let isWanted = number == opened.line
          canvas.write(
            PlainText("\(number)").leftPadded(to: GatewayMemoryText.margin - 1), y: y,
            role: isWanted ? .match : .faint, attributes: isWanted ? .bold : [])
        }
        canvas.write(line.text, x: GatewayMemoryText.margin, y: y, role: line.role)
      }
    }
  }

  @MainActor package func plainText(_ facts: ViewContext) -> String? {
    if focus == .text, let opened {
      return GatewayMemoryText(opened, facts, width: 10_000).lines.map(\.text.description)
        .joined(separator: "\n")
    }
    let rows = GatewayMemoryRows(facts: facts, width: 10_000)
    return rows.listed(search, folder).map {
      $0.trailing.isEmpty ? $0.text.description : "\($0.text)  \($0.trailing)"
    }.joined(separator: "\n")
  }
}
