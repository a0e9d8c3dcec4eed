import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

extension ConversationsPane {
  /// The rectangles of the view.
  struct Layout: Hashable {
    var summary = Rect(width: 0, height: 0)
    var channels = Rect(width: 0, height: 0)
    var list = Rect(width: 0, height: 0)
    var detail = Rect(width: 0, height: 0)
    var dividers: [Rect] = []
    var hasBoxes = false
    /// One panel at a time.
    var isSingle = false

    func content(_ panel: Panel) -> Rect {
      PanelFrame.content(of: panel == .list ? list : detail, hasBox: hasBoxes)
    }

    /// Lines of an entry: what was said, and what came of it.
    static let entryHeight = 2

    /// Entries in sight.
    var entryCount: Int { max(1, content(.list).height / Self.entryHeight) }
  }

  func layout(in body: Rect, of screen: Size) -> Layout {
    let size = LayoutClass(screen)
    var rest = body
    var parts = Layout()
    parts.hasBoxes = size.width >= .medium && size.height > .short
    if body.height >= 8 { parts.summary = rest.takeTop(1) }
    if body.height >= 6 { parts.channels = rest.takeTop(1) }
    let isAlone = isZoomed || size.width <= .extraSmall || rest.height < 12
    if isAlone {
      parts.isSingle = !isZoomed
      if focus == .detail { parts.detail = rest } else { parts.list = rest }
    } else if size.width < .medium {
      parts.detail = rest.takeBottom(rest.height * (focus == .detail ? 13 : 10) / 20)
      parts.list = rest
    } else {
      parts.detail = rest.takeRight(rest.width * 11 / 20)
      if !parts.hasBoxes { parts.dividers.append(rest.takeRight(1)) }
      parts.list = rest
    }
    return parts
  }

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let layout = layout(in: body, of: frame.layoutSize)
    let list = list(facts)
    summary(list, facts, in: layout.summary, into: &frame)
    channels(list, facts, in: layout.channels, into: &frame)
    for divider in layout.dividers {
      frame.canvas.inside(divider) { $0.verticalRule(x: 0) }
    }
    renderList(facts, layout, into: &frame)
    renderDetail(facts, layout, into: &frame)
    if !facts.isHeard, !list.entries.isEmpty { frame.canvas.fade(body) }
  }

  // MARK: Rows at the top

  @MainActor private func summary(
    _ list: ConversationList, _ facts: ViewContext, in area: Rect, into frame: inout Frame
  ) {
    guard !area.isEmpty else { return }
    frame.canvas.inside(area) { canvas in
      var x = canvas.write("CONVERSATIONS", x: 1, role: .heading, attributes: .bold) + 2
      // While nothing is known, 0 would be a claim.
      if !list.entries.isEmpty || beginMs(facts) != nil {
        let replies = Figures.count(list.replies) + (list.replies == 1 ? " reply" : " replies")
        x = canvas.write(replies, x: x, role: .number) + 2
        let silences =
          Figures.count(list.silences) + (list.silences == 1 ? " silence" : " silences")
        x = canvas.write(silences, x: x, role: showsSilences ? .number : .muted) + 2
      }
      let (text, role) = coverage(facts)
      canvas.write(text.cut(to: max(0, canvas.bounds.width - x - 1)), x: x, role: role)
    }
  }

  @MainActor private func channels(
    _ list: ConversationList, _ facts: ViewContext, in area: Rect, into frame: inout Frame
  ) {
    guard !area.isEmpty else { return }
    let all: [ConversationList.Channel?] = [nil] + list.conversations.map { Optional($0.channel) }
    let shown = all.firstIndex(of: channel) ?? 0
    // The chosen one stays in sight.
    let first = max(0, shown - 3)
    var x = area.x + 1
    for (index, place) in all.enumerated().dropFirst(first) {
      let count =
        place.flatMap { wanted in list.conversations.first { $0.channel == wanted } }?.replies
        ?? list.replies
      let title = place.map { name(of: $0, facts).cut(to: 24) } ?? "ALL"
      let isChosen = place == channel
      let text =
        (isChosen ? "[" : " ") + title + " " + Figures.count(count) + (isChosen ? "]" : " ")
      guard x + text.columns + 5 <= area.maxX else {
        frame.canvas.write(PlainText("+\(all.count - index)"), x: x, y: area.y, role: .muted)
        break
      }
      frame.canvas.write(
        text, x: x, y: area.y, role: isChosen ? .chipActive : .chip,
        attributes: isChosen ? .bold : [])
      frame.mark(
        Rect(x: x, y: area.y, width: text.columns, height: 1), Frame.Target(Target.channel(place)))
      x += text.columns + 1
    }
  }

  @MainActor private func name(
    of channel: ConversationList.Channel, _ facts: ViewContext
  ) -> PlainText {
    channel.channelID.map { "#" + facts.channelName($0, in: channel.guildID) } ?? "no channel"
  }

  // MARK: The list

  @MainActor private func renderList(
    _ facts: ViewContext, _ layout: Layout, into frame: inout Frame
  ) {
    let area = PanelFrame(
      title: channel.map { name(of: $0, facts) } ?? "all channels", trailing: "newest first",
      place: layout.isSingle ? (1, 2) : nil, isFocused: focus == .list, hasBox: layout.hasBoxes
    ).draw(in: layout.list, Frame.Target(Target.panel(.list)), into: &frame)
    guard !area.isEmpty else { return }
    let entries = entries(facts)
    guard !entries.isEmpty else {
      frame.canvas.inside(area) { canvas in
        let lines = nothing(facts).wrapped(to: max(1, area.width), limit: area.height)
        for (y, line) in lines.enumerated() { canvas.write(line, y: y, role: .muted) }
      }
      return
    }
    let cursor = cursor.settled(in: cursorList(entries, height: layout.entryCount))
    for place in 0..<layout.entryCount {
      let index = cursor.scroll + place
      guard entries.indices.contains(index) else { break }
      let box = Rect(
        x: area.x, y: area.y + place * Layout.entryHeight, width: area.width,
        height: min(Layout.entryHeight, area.maxY - area.y - place * Layout.entryHeight))
      frame.mark(box, Frame.Target(Target.line(.list, index)))
      let isSelected = index == cursor.line
      if isSelected, focus == .list { frame.canvas.placeCursor(x: box.x, y: box.y) }
      frame.canvas.inside(box) {
        draw(entries[index], isSelected: isSelected, facts, into: &$0)
      }
    }
    let rest = entries.count - cursor.scroll - layout.entryCount
    guard rest > 0 else { return }
    let more = PlainText(" +\(rest) ")
    frame.canvas.write(more, x: area.maxX - more.columns, y: area.maxY - 1, role: .muted)
  }

  @MainActor private func nothing(_ facts: ViewContext) -> PlainText {
    if !facts.hasActivity {
      return "Nothing was heard of the bot yet. " + PlainText(facts.status.detail, limit: 300)
    }
    let (text, _) = coverage(facts)
    return isWhole(facts)
      ? "No reply in " + reach.title + "; " + facts.keys.text(.zoomOut) + " reaches further back."
      : "No reply is here yet: " + text + "."
  }

  @MainActor private func draw(
    _ entry: ConversationList.Entry, isSelected: Bool, _ facts: ViewContext,
    into canvas: inout Canvas
  ) {
    let back: Role? = isSelected && focus == .list ? .selection : nil
    if back != nil { canvas.fill(canvas.bounds, background: back) }
    canvas.write(
      isSelected ? ">" : " ", x: 0, role: .focus, attributes: .bold, background: back)
    var x =
      canvas.write(
        facts.clock.time(ms: entry.timeMs).prefix(columns: 5), x: 1, role: .muted, background: back)
      + 1
    guard let record = record(entry.row, facts) else {
      canvas.write("its row is not kept any more", x: x, role: .muted, background: back)
      return
    }
    let right = badges(record, entry)
    let edge = canvas.bounds.width - right.columns - 1
    canvas.write(right, x: edge + 1, role: .number, background: back)
    if channel == nil {
      let place = name(of: entry.channel, facts).cut(to: 14)
      x = canvas.write(place, x: x, role: .focus, background: back) + 1
    }
    if let author = record.author {
      let name = PlainText(author, limit: 40).cut(to: 16) + ":"
      x = canvas.write(name, x: x, role: .voice, background: back) + 1
    }
    let words = PlainText((record.words ?? "words not on record").collapsingWhitespace, limit: 400)
    canvas.write(
      words.cut(to: max(0, edge - x)), x: x, role: record.words == nil ? .muted : .text,
      background: back)
    guard canvas.bounds.height > 1 else { return }
    let answer = PlainText(
      (record.silence ?? record.content ?? "").collapsingWhitespace, limit: 400)
    if entry.isSilence {
      canvas.write(
        ("silent: " + answer).cut(to: max(0, canvas.bounds.width - 7)), x: 7, y: 1, role: .warning,
        background: back)
    } else {
      canvas.write(
        answer.cut(to: max(0, canvas.bounds.width - 7)), x: 7, y: 1, role: .positive,
        background: back)
    }
  }

  /// Confidence, tools and time of an entry, in a few columns.
  @MainActor private func badges(
    _ record: ReplyRecord, _ entry: ConversationList.Entry
  ) -> PlainText {
    var parts: [PlainText] = []
    let used = record.tools.count(where: \.wasUsed)
    if used > 0 { parts.append(PlainText(used == 1 ? "1 tool" : "\(used) tools")) }
    if let confidence = record.addressing?.confidence { parts.append(Figures.unit(confidence)) }
    if let total = record.totalMs { parts.append(Figures.duration(ms: Double(total))) }
    return parts.joined(separator: " ")
  }

  // MARK: The chosen one

  @MainActor func detailLines(_ facts: ViewContext, width: Int) -> [ReplyLines.Line] {
    guard let entry = current(facts), let record = record(entry.row, facts) else { return [] }
    return ReplyLines(record: record, facts: facts, width: width).lines
  }

  @MainActor private func renderDetail(
    _ facts: ViewContext, _ layout: Layout, into frame: inout Frame
  ) {
    let area = PanelFrame(
      title: "how it came about", trailing: "Enter: its row in PULSE",
      place: layout.isSingle ? (2, 2) : nil, isFocused: focus == .detail, hasBox: layout.hasBoxes
    ).draw(in: layout.detail, Frame.Target(Target.panel(.detail)), into: &frame)
    guard !area.isEmpty else { return }
    let lines = detailLines(facts, width: area.width)
    let place = detailCursor.settled(
      in: CursorList<Never>(count: lines.count, height: max(1, area.height)))
    for (offset, line) in lines.dropFirst(place.scroll).prefix(area.height).enumerated() {
      let index = place.scroll + offset
      let row = Rect(x: area.x, y: area.y + offset, width: area.width, height: 1)
      frame.mark(row, Frame.Target(Target.line(.detail, index)))
      let isSelected = focus == .detail && index == place.line
      let back: Role? = isSelected ? .selection : nil
      frame.canvas.inside(row) { canvas in
        if isSelected {
          canvas.fill(canvas.bounds, background: back)
          canvas.placeCursor()
        }
        var x = 0
        for span in line.spans where x < canvas.bounds.width {
          x =
            canvas.write(
              span.text.cut(to: canvas.bounds.width - x), x: x, role: span.role,
              attributes: span.attributes, background: back) + 1
        }
      }
    }
    let rest = lines.count - place.scroll - area.height
    guard rest > 0 else { return }
    let more = PlainText(" +\(rest) ")
    frame.canvas.write(more, x: area.maxX - more.columns, y: area.maxY - 1, role: .muted)
  }
}
