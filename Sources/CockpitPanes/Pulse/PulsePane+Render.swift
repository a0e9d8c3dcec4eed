import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import CockpitStores
import TerminalCore

extension PulsePane {
  /// Draws the tab into `body`, the screen without header, alert and hints.
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    var layout = layout(in: body, of: frame.layoutSize)
    if let sources = facts.sources, sources.merged != nil {
      // Figures are of one source.
      let bar = SourcesBar(sources, isPast: facts.replay != nil)
      if !layout.kpi.isEmpty { frame.draw(bar, in: layout.kpi) }
      layout.kpi = Rect(width: 0, height: 0)
    }
    var kpi = layout.kpi
    // Feed rows carry their own times; counts and live values stop at the end of the data.
    let known = facts.atDataEnd(of: .activity)
    // A tall screen has the full chart; on others 30 minutes fit beside the figures.
    if frame.layoutSize.width >= 120, layout.rate.isEmpty, !kpi.isEmpty {
      let minutes = known.rates(atMs: known.minuteMs)
        .perMinute(last: 30, nowMs: known.minuteMs)
      let unknown = RatePanel.firstMinute(known, of: 30)
      let isPast = facts.dataEndMs(.activity) != nil
      frame.canvas.inside(kpi.takeRight(36)) { canvas in
        canvas.write("30m", role: .muted)
        Sparkline(values: minutes.map(\.actions), unknown: facts.hasActivity ? unknown : 0)
          .render(width: 30, x: 4, role: isPast ? .muted : .info, into: &canvas)
      }
    }
    if !kpi.isEmpty, let board = facts.service {
      frame.draw(ServiceBar(board, facts), in: kpi)
    } else if !kpi.isEmpty {
      frame.draw(StatsBar(known, isNarrow: frame.layoutSize.width < 100), in: kpi)
    }
    if !layout.chips.isEmpty { frame.draw(FilterChips(self, facts), in: layout.chips) }
    if !layout.bar.isEmpty { frame.draw(FilterBar(self, facts), in: layout.bar) }
    if !layout.feed.isEmpty, feedQuery.pipeline != nil {
      TablePanel(pane: self, hasBox: layout.hasBoxes)
        .render(facts, in: layout.feed, into: &frame)
    } else if !layout.feed.isEmpty {
      FeedPanel(pane: self, hasBox: layout.hasBoxes).render(facts, in: layout.feed, into: &frame)
    }
    // The ages of an open row and of the side column, those of the rows, and whether a row is new.
    if isDetailOpen || !layout.side.isEmpty || timeStyle == .age && !isPaused
      || facts.actions.hasArrivals
    {
      frame.needsSecond = true
    }
    DetailPanel(pane: self, hasBox: layout.hasBoxes)
      .render(facts, in: layout.detail, into: &frame)
    if !layout.side.isEmpty { SideColumn().render(known, in: layout.side, into: &frame) }
    if !layout.rate.isEmpty {
      frame.draw(RatePanel(known, isFocused: focus == .rate), in: layout.rate)
    }
    FilterHelp(
      isTyping: bar == .filter, text: filterField.text, error: queryError, completion: completion
    )
    .render(below: layout.bar, into: &frame)
  }

  /// Clamps the detail's cursor and folds to the content; called after every command, because
  /// drawing changes nothing.
  @MainActor package mutating func clampSelection(_ facts: ViewContext, body: Rect, screen: Size) {
    guard isDetailOpen else { return }
    let layout = layout(in: body, of: screen)
    guard !layout.detail.isEmpty,
      let lines = DetailPanel.lines(self, facts, in: layout.detail, hasBox: layout.hasBoxes)
    else { return }
    let height = DetailPanel.contentHeight(layout.detail, hasBox: layout.hasBoxes)
    detail.clamp(lines, height: max(1, height))
  }
}
