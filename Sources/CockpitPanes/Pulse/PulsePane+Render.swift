import ClankyLink
import CockpitStores
import TerminalCore

extension PulsePane {
  /// Draws the tab into `body`, the screen without header, alert and hints.
  @MainActor package func render(_ facts: Facts, in body: Rect, into frame: inout Frame) {
    let layout = layout(in: body, of: frame.canvas.size)
    var kpi = layout.kpi
    // Rows of the feed have their own time; what is counted and what is live ends with the data.
    let known = facts.atDataEnd(of: .activity)
    // A tall screen has the whole chart; on others 30 minutes fit beside the figures.
    if frame.canvas.size.width >= 120, layout.rate.isEmpty, !kpi.isEmpty {
      let minutes = facts.activity.log.rate.perMinute(last: 30, nowMs: known.minuteMs)
      let unknown = RatePanel.firstMinute(known, of: 30)
      let isPast = facts.dataEndMs(.activity) != nil
      frame.canvas.inside(kpi.takeRight(36)) { canvas in
        canvas.write("30m", role: .muted)
        Sparkline(values: minutes.map(\.actions), unknown: facts.hasActivity ? unknown : 0)
          .render(width: 30, x: 4, role: isPast ? .muted : .info, into: &canvas)
      }
    }
    if !kpi.isEmpty {
      frame.draw(StatsBar(known, isNarrow: frame.canvas.size.width < 100), in: kpi)
    }
    if !layout.chips.isEmpty { frame.draw(FilterChips(self, facts), in: layout.chips) }
    frame.draw(.feed) { renderFeed(facts, layout, into: &$0) }
    DetailPanel(pane: self, hasBox: layout.hasBoxes)
      .render(facts, in: layout.detail, into: &frame)
    if !layout.side.isEmpty { SideColumn().render(known, in: layout.side, into: &frame) }
    if !layout.rate.isEmpty {
      frame.draw(RatePanel(known, isFocused: focus == .rate), in: layout.rate)
    }
    FilterHelp(pane: self).render(below: layout.bar, into: &frame)
  }

  /// The feed and the line above it.
  @MainActor private func renderFeed(_ facts: Facts, _ layout: Layout, into frame: inout Frame) {
    if !layout.bar.isEmpty { frame.draw(FilterBar(self, facts), in: layout.bar) }
    if !layout.feed.isEmpty {
      FeedPanel(pane: self, hasBox: layout.hasBoxes).render(facts, in: layout.feed, into: &frame)
    }
  }

  /// Draws another place in the feed over a frame that shows the same rows.
  ///
  /// - Returns: whether it does; else nothing was drawn.
  @MainActor func moveInFeed(_ facts: Facts, in body: Rect, over frame: inout Frame) -> Bool {
    let layout = layout(in: body, of: frame.canvas.size)
    let panel = FeedPanel(pane: self, hasBox: layout.hasBoxes)
    guard panel.move(facts, in: layout.feed, over: &frame) else { return false }
    if !layout.bar.isEmpty { frame.redraw(FilterBar(self, facts), in: layout.bar) }
    return true
  }

  /// Draws the feed anew over a frame of another place in it.
  @MainActor func redrawFeed(_ facts: Facts, in body: Rect, into frame: inout Frame) {
    let layout = layout(in: body, of: frame.canvas.size)
    frame.canvas.clear(layout.feed)
    frame.draw(.feed) { renderFeed(facts, layout, into: &$0) }
  }

  /// Brings the detail's cursor and folds into what there is to show; called after every command,
  /// because drawing changes nothing.
  @MainActor package mutating func settle(_ facts: Facts, body: Rect, screen: Size) {
    guard isDetailOpen else { return }
    let layout = layout(in: body, of: screen)
    guard !layout.detail.isEmpty,
      let lines = DetailPanel.lines(self, facts, in: layout.detail, hasBox: layout.hasBoxes)
    else { return }
    let height = DetailPanel.contentHeight(layout.detail, hasBox: layout.hasBoxes)
    detail.settle(lines, height: max(1, height))
  }
}
