import TerminalUI
import ClankyWire
import TerminalCore

extension VoicePane {
  /// Where the parts of VOICE stand on a screen. A panel that is not named is not shown: Tab with
  /// `z` walks through all of them.
  struct Layout: Hashable {
    var head = Rect(width: 0, height: 0)
    var pills = Rect(width: 0, height: 0)
    var sessions = Rect(width: 0, height: 0)
    /// What is looked for in the report.
    var find = Rect(width: 0, height: 0)
    var panels: [Panel: Rect] = [:]
    /// Panels have boxes from width M on; narrower ones share rules.
    var hasBoxes = false
    /// One panel fills the screen and shows everything.
    var isFull = false
    /// The panels that Tab reaches.
    var order: [Panel] = []
  }

  /// The subject of the layout: a live session, an open past one, the list of past ones with one of
  /// them as preview, or that list while it is empty.
  enum Subject: Hashable {
    case live, past, last, history
  }

  /// The panels of a subject in a view, in the order of Tab.
  func panels(_ subject: Subject) -> [Panel] {
    switch (view, subject) {
    case (.history, _), (_, .history): [.list, .summary, .report]
    case (.turns, _), (.skips, _), (.anomalies, _):
      [.list, .lanes, .turn, .people, .tools, .trend, .transcript]
    case (.events, _): [.list, .event, .turn, .people, .tools, .trend]
    case (.report, _): [.report, .turn, .people, .tools, .trend]
    case (.live, .last): [.list, .summary, .lanes, .turn, .transcript]
    case (.live, .past): [.transcript, .lanes, .turn, .tools, .people, .trend, .summary]
    case (.live, .live):
      [.transcript, .lanes, .turn, .people, .tools, .screen, .music, .engine, .trend]
    }
  }

  /// The panels that make a view; the others fill the room of a tall screen.
  private static func areOwn(of view: View) -> Set<Panel> {
    switch view {
    case .history: [.list, .summary]
    case .report: [.report, .turn]
    case .events: [.list, .event]
    case .live, .turns, .skips, .anomalies: [.list, .turn]
    }
  }

  /// The properties of a session that affect the layout.
  struct Needs: Hashable {
    /// Whether past sessions are known.
    var hasHistory = false
    /// Number of users in the channel.
    var people = 0
    var hasScreen = false
    /// Music replaces an idle screen watch if only one fits.
    var hasMusic = false
    /// Lines that panels of a tall and wide screen have to show.
    var lines: [Panel: Int] = [:]
  }

  /// - Parameters:
  ///   - body: the screen without header, alert and hints.
  ///   - sessions: how many live sessions there are.
  func layout(
    in body: Rect, of screen: Size, subject: Subject, sessions: Int, needs: Needs
  ) -> Layout {
    let layout = LayoutClass(screen)
    var rest = body
    var parts = Layout()
    parts.hasBoxes = layout.width >= .medium && layout.height > .short
    if subject != .history || view == .live { parts.head = rest.takeTop(1) }
    if subject == .live, view != .history { parts.pills = rest.takeTop(1) }
    if sessions > 1, subject == .live, rest.height > 6 { parts.sessions = rest.takeTop(1) }
    let isFiltered = view == .events && (filterField != nil || !eventFilter.text.isEmpty)
    if isFiltered || view == .report && (isFinding || !findText.isEmpty), rest.height > 3 {
      parts.find = rest.takeBottom(1)
    }
    let all = panels(subject)
    let focus = all.contains(focus) ? focus : all[0]
    parts.order = all
    if isRawOpen {
      parts.panels[.raw] = rest
      parts.order = [.raw]
      return parts
    }
    let isSingle =
      isZoomed || layout.width == .extraSmall || layout.height == .short && layout.width == .small
    if isSingle {
      // What only a tall screen has beside a list is no panel of a small one.
      if !isZoomed, view != .live { parts.order = all.filter(Self.areOwn(of: view).contains) }
      parts.panels[isWhyOpen && !isZoomed ? .turn : focus] = rest
      parts.isFull = isZoomed
      if !parts.sessions.isEmpty { parts.order.append(.sessions) }
      return parts
    }
    switch view {
    case .live where subject == .last: last(&parts, &rest, layout)
    case .live where subject != .history: live(&parts, &rest, layout, subject, needs)
    case .report where subject != .history: report(&parts, rest, layout)
    default:
      split(
        &parts, rest, layout, needs,
        hasList: needs.hasHistory || view != .history && subject != .history)
    }
    parts.order = all.filter { parts.panels[$0] != nil }
    if !parts.sessions.isEmpty { parts.order.append(.sessions) }
    return parts
  }

  /// No live session: the list of past ones, and the record of one of them.
  private func last(_ parts: inout Layout, _ rest: inout Rect, _ layout: LayoutClass) {
    if isWhyOpen {
      parts.panels[.turn] =
        layout.width >= .medium
        ? rest.takeRight(rest.width * 11 / 20)
        : rest.takeTop(
          rest.height * 2 / 3)
      parts.panels[.list] = rest
      return
    }
    guard layout.width >= .medium, rest.height >= 24 else {
      if rest.height >= 17 {
        parts.panels[.list] = rest.takeTop(rest.height - 14)
        parts.panels[.lanes] = rest.takeTop(7)
      } else {
        parts.panels[.list] = rest.takeTop(rest.height / 2)
      }
      parts.panels[.summary] = rest.takeLeft(rest.width * 9 / 20)
      parts.panels[.transcript] = rest
      return
    }
    var top = rest.takeTop(min(20, rest.height * 2 / 5))
    parts.panels[.summary] = top.takeRight(
      layout.width == .large ? min(84, top.width * 2 / 5) : min(50, top.width * 2 / 5))
    parts.panels[.list] = top
    parts.panels[.lanes] = rest.takeTop(min(layout.width == .large ? 16 : 13, rest.height / 2))
    parts.panels[.turn] = rest.takeRight(layout.width == .large ? 80 : min(44, rest.width * 2 / 5))
    parts.panels[.transcript] = rest
  }

  /// A list and its selected item.
  ///
  /// - Parameter hasList: false if there is nothing to select.
  private func split(
    _ parts: inout Layout, _ body: Rect, _ layout: LayoutClass, _ needs: Needs, hasList: Bool
  ) {
    var rest = body
    guard hasList else {
      parts.panels[.list] = rest
      return
    }
    let detail: Panel =
      switch view {
      case .turns, .skips, .anomalies: .turn
      case .events: .event
      case .live, .report, .history: .summary
      }
    if detail == .event, needs.lines[.list] != nil {
      // A tall screen has the turn of the event below it.
      var column = rest.takeRight(Self.column)
      parts.panels[.event] = column.takeTop(column.height * 2 / 5)
      fillBelowTurn(&parts, &column, from: 32)
      parts.panels[.turn] = column
      parts.panels[.list] = rest
      return
    }
    if let lines = needs.lines[.list] {
      // A short list leaves its room to what was said, or to the words of the chosen session.
      let height = max(6, (lines + 2 + 3) / 4 * 4)
      let other: Panel = detail == .turn ? .transcript : .report
      if detail == .turn { turnColumn(&parts, &rest) }
      if rest.height - height >= 12 { parts.panels[other] = rest.takeBottom(rest.height - height) }
      // All lanes of two speakers, and the axis of time.
      if let area = parts.panels[.transcript], area.height >= 34 {
        var below = area
        parts.panels[.lanes] = below.takeTop(17)
        parts.panels[.transcript] = below
      }
      if detail == .summary { parts.panels[.summary] = rest.takeRight(Self.column) }
      parts.panels[.list] = rest
      return
    }
    if layout.width >= .medium {
      parts.panels[detail] = rest.takeRight(
        layout.width == .large ? Self.column : min(58, rest.width * 9 / 20))
    } else {
      parts.panels[detail] = rest.takeBottom(min(rest.height / 2, 12))
    }
    parts.panels[.list] = rest
  }

  /// Columns of what stands beside a list on a large screen.
  static let column = 84

  /// The turn in a column at the right, and below it the panels of the session that a tall screen has room for.
  private func turnColumn(_ parts: inout Layout, _ rest: inout Rect) {
    var column = rest.takeRight(Self.column)
    fillBelowTurn(&parts, &column, from: 44)
    parts.panels[.turn] = column
  }

  /// Puts the panels of the session below a turn into a column of at least `height` lines.
  private func fillBelowTurn(_ parts: inout Layout, _ column: inout Rect, from height: Int) {
    guard !isWhyOpen, column.height >= height else { return }
    parts.panels[.trend] = column.takeBottom(10)
    var row = column.takeBottom(12)
    parts.panels[.tools] = row.takeRight(row.width * 11 / 20)
    parts.panels[.people] = row
  }

  /// The report with the whole width; the turn beside it where words need no more, or when it was opened.
  private func report(_ parts: inout Layout, _ body: Rect, _ layout: LayoutClass) {
    var rest = body
    if layout.width == .large {
      turnColumn(&parts, &rest)
    } else if isWhyOpen {
      parts.panels[.turn] =
        layout.width == .medium
        ? rest.takeRight(min(58, rest.width * 9 / 20)) : rest.takeTop(rest.height * 2 / 3)
    }
    parts.panels[.report] = rest
  }

  private func live(
    _ parts: inout Layout, _ rest: inout Rect, _ layout: LayoutClass, _ subject: Subject,
    _ needs: Needs
  ) {
    switch layout.width {
    case .extraSmall, .small: small(&parts, &rest)
    case .medium: medium(&parts, &rest, layout, subject, needs)
    case .large: large(&parts, &rest, layout, subject, needs)
    }
  }

  private func small(_ parts: inout Layout, _ rest: inout Rect) {
    if isWhyOpen {
      // The verdict replaces lanes and waterfall; the transcript stays.
      parts.panels[.turn] = rest.takeTop(rest.height * 2 / 3)
      parts.panels[.transcript] = rest
      return
    }
    parts.panels[.lanes] = rest.takeTop(rest.height >= 24 ? 10 : 7)
    var row = rest.takeTop(rest.height >= 11 ? min(7, rest.height - 5) : 0)
    if !row.isEmpty {
      parts.panels[.people] = row.takeRight(row.width * 2 / 5)
      parts.panels[.turn] = row
    }
    var lower = rest
    if lower.height >= 4 {
      let column = lower.takeRight(lower.width * 2 / 5)
      parts.panels[.tools] = column
    }
    parts.panels[.transcript] = lower
  }

  private func medium(
    _ parts: inout Layout, _ rest: inout Rect, _ layout: LayoutClass, _ subject: Subject,
    _ needs: Needs
  ) {
    if isWhyOpen {
      parts.panels[.turn] = rest.takeLeft(rest.width * 11 / 20)
      parts.panels[.lanes] = rest.takeTop(min(rest.height / 3, 13))
      if rest.height >= 20 { parts.panels[.tools] = rest.takeBottom(7) }
      parts.panels[.transcript] = rest
      return
    }
    let lanes = rest.height >= 34 ? 13 : rest.height >= 26 ? 10 : rest.height >= 18 ? 7 : 0
    if lanes > 0 { parts.panels[.lanes] = rest.takeTop(lanes) }
    if rest.height >= 18 {
      var lower = rest.takeBottom(rest.height >= 22 ? 9 : 7)
      let third = lower.width / 3
      parts.panels[.tools] = lower.takeLeft(third)
      if subject == .live {
        parts.panels[needs.hasMusic && !needs.hasScreen ? .music : .screen] = lower.takeLeft(third)
        parts.panels[.engine] = lower
      } else {
        parts.panels[.summary] = lower
      }
    }
    parts.panels[.turn] = rest.takeLeft(min(44, rest.width * 3 / 8))
    parts.panels[.people] = rest.takeRight(min(36, rest.width / 2))
    parts.panels[.transcript] = rest
  }

  /// The heights of lanes and turn, and of the trend: the panels between them get what they have lines for, the
  /// bars of the trend what is left. In steps, so that not every word moves the panels.
  private func shares(of height: Int, _ needs: Needs) -> (top: Int, trend: Int) {
    func rows(_ panels: Panel...) -> Int { panels.reduce(0) { $0 + (needs.lines[$1] ?? 1) + 2 } }
    // All lanes of two speakers, and the axis of time.
    let top = 18
    let middle = max(rows(.transcript), rows(.people, .tools), rows(.screen, .music, .engine), 16)
    return (top, max(9, height - top - (middle + 3) / 4 * 4))
  }

  /// A frame and one line.
  private static let smallestBox = 3

  private func large(
    _ parts: inout Layout, _ rest: inout Rect, _ layout: LayoutClass, _ subject: Subject,
    _ needs: Needs
  ) {
    guard layout.height > .short else {
      parts.panels[.turn] = rest.takeRight(68)
      parts.panels[.transcript] = rest
      return
    }
    var top: Rect
    if !needs.lines.isEmpty {
      let shares = shares(of: rest.height, needs)
      top = rest.takeTop(shares.top)
      parts.panels[.trend] = rest.takeBottom(shares.trend)
    } else {
      if rest.height >= 40 { parts.panels[.trend] = rest.takeBottom(9) }
      top = rest.takeTop(rest.height >= 36 ? 20 : max(9, rest.height * 2 / 5))
    }
    let turnWidth = min(80, max(60, rest.width / 3))
    if isWhyOpen {
      // The verdict has the right column down to the bottom.
      var column = top.takeRight(turnWidth)
      column.height += rest.height
      _ = rest.takeRight(turnWidth)
      parts.panels[.turn] = column
    } else {
      parts.panels[.turn] = top.takeRight(turnWidth)
    }
    parts.panels[.lanes] = top
    if subject == .past {
      parts.panels[.people] = rest.takeRight(rest.width / 4)
      parts.panels[.tools] = rest.takeRight(rest.width * 2 / 5)
      parts.panels[.transcript] = rest
      return
    }
    if !isWhyOpen {
      var column = rest.takeRight(min(52, rest.width / 4))
      // Idle panels shrink to one line and leave their room to the others.
      let idle = Self.smallestBox
      switch (needs.hasScreen, needs.hasMusic) {
      // A frame without a line is useless: drop idle panels first, then the music.
      case _ where column.height < 2 * idle:
        parts.panels[needs.hasScreen ? .screen : needs.hasMusic ? .music : .engine] = column
      case _ where column.height < 3 * idle:
        let first: Panel = needs.hasMusic && !needs.hasScreen ? .music : .screen
        parts.panels[first] = column.takeTop(
          needs.hasScreen || needs.hasMusic ? max(idle, column.height / 2) : idle)
        parts.panels[.engine] = column
      case (true, true):
        parts.panels[.engine] = column.takeBottom(column.height * 2 / 5)
        parts.panels[.screen] = column.takeTop((column.height + 1) / 2)
        parts.panels[.music] = column
      case (let hasScreen, let hasMusic):
        func height(_ panel: Panel, _ isBusy: Bool) -> Int {
          guard isBusy else { return idle }
          let most = max(idle, column.height * 2 / 5)
          return needs.lines[panel].map { min(most, max(idle, $0 + 2)) } ?? most
        }
        parts.panels[.screen] = column.takeTop(height(.screen, hasScreen))
        parts.panels[.music] = column.takeTop(height(.music, hasMusic))
        parts.panels[.engine] = column
      }
    }
    // Words need width, people and tools need lines.
    var column = rest.takeRight(min(48, rest.width * 2 / 5))
    if column.height >= 2 * Self.smallestBox {
      let people = min(column.height * 2 / 3, needs.people + 9)
      parts.panels[.people] = column.takeTop(min(people, column.height - Self.smallestBox))
      parts.panels[.tools] = column
    } else {
      parts.panels[.people] = column
    }
    parts.panels[.transcript] = rest
  }
}
