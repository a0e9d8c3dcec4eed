import CockpitStores
import TerminalCore

extension PulsePane {
  /// Draws the tab into `body`, the screen without header, alert and hints.
  @MainActor package func render(_ facts: Facts, in body: Rect, into frame: inout Frame) {
    let layout = layout(in: body, of: frame.canvas.size)
    var kpi = layout.kpi
    // A tall screen has the whole chart; on others 30 minutes fit beside the figures.
    if frame.canvas.size.width >= 120, layout.rate.isEmpty, !kpi.isEmpty {
      let minutes = facts.activity.log.rate.perMinute(last: 30, nowMs: facts.minuteMs)
      frame.canvas.inside(kpi.takeRight(36)) { canvas in
        canvas.write("30m", role: .muted)
        Sparkline(values: minutes.map(\.actions)).render(
          width: 30, x: 4, role: .info, into: &canvas)
      }
    }
    StatsBar().render(facts, in: kpi, isNarrow: frame.canvas.size.width < 100, into: &frame)
    FilterChips(pane: self).render(facts, in: layout.chips, into: &frame)
    FilterBar(pane: self).render(facts, in: layout.bar, into: &frame)
    if !layout.feed.isEmpty {
      FeedPanel(pane: self, hasBox: layout.hasBoxes).render(facts, in: layout.feed, into: &frame)
    }
    DetailPanel(pane: self, hasBox: layout.hasBoxes)
      .render(facts, in: layout.detail, into: &frame)
    if !layout.side.isEmpty { SideColumn().render(facts, in: layout.side, into: &frame) }
    RatePanel(isFocused: focus == .rate).render(facts, in: layout.rate, into: &frame)
    FilterHelp(pane: self).render(below: layout.bar, into: &frame)
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
