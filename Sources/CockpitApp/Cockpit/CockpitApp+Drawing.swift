import CockpitShell
import CockpitSession
import TerminalUI
import CockpitDomain
import Networking
import CockpitPanes
import CockpitStores
import Foundation
import MainLoop
import Observation
import TerminalCore
import TerminalCurses

/// From stores to frames.
extension CockpitApp {
  /// Draws a frame. Observation tracks the stores that it reads and requests the next frame when
  /// one changes, so a pane that starts to read another store needs no change here.
  ///
  /// - Parameter cause: why the frame was requested.
  package func draw(_ cause: FrameScheduler.Cause) {
    var effects: [Effect] = []
    var needs: [Need] = []
    // No frame shows ages by a clock that has just been set.
    eachModel { $0.bot.source.tick() }
    pace()
    // A key changes nothing about the bot, and does not wait for a verdict on it.
    let isJudged = cause == .key && hasShownRows || shownModel.judge()
    let newAlarms = cause == .key || alerts.isSilent ? [] : model.newAlarms()
    let call = model.attend(
      alarms: newAlarms, readsRows: cause != .key, isFocused: isFocused,
      isSeen: shell.isControlOpen && replay == nil)
    attendOthers(cause)
    let isSame = cause == .tick && !hasShellChanged && tracking.isArmed
    tracking.read(isSame: isSame) {
      let shown = shell.shown
      isBusy = shownModel.bot.catchUp(shownData)
      if catchUpMerged() { isBusy = true }
      catchUpFleet()
      var facts = self.facts
      effects = shell.update(facts, size: session.size, isAfterKey: cause == .key)
      if shell.shown != shown {
        if shownModel.bot.catchUp(shownData) { isBusy = true }
        if catchUpMerged() { isBusy = true }
        facts = self.facts
        effects += shell.update(facts, size: session.size)
      }
      let shell = shell
      let refreshed = isSame ? shell.render(facts, size: session.size, tickAfter: frame) : nil
      frame =
        refreshed ?? shell.render(facts, size: session.size, symbols: symbols, reusing: frame)
      setTicker(isAfterTick: cause == .tick)
      present()
      // After `present`, so that a key is not delayed by it.
      needs = shell.needs(facts)
      title?.show(facts)
      // No alert comes from the past.
      if let call {
        alerts.carryOut(call)
      } else {
        alerts.look(
          replay == nil ? facts : model.facts, alarms: newAlarms, isFocused: isFocused,
          source: sources?.focused ?? 0)
      }
      alertOthers()
      if isBusy { frames?.setNeedsFrame(.stream) }
    }
    hasShellChanged = false
    for effect in effects { carryOut(effect) }
    fetch(needs)
    fetchMerged()
    eachModel { $0.fetchAutomations() }
    if !isJudged { frames?.setNeedsFrame(.stream) }
    catchUpBehindFrame()
    scheduleHighlightEnd()
  }

  private func present() {
    session.present(frame.canvas)
    // Only there can much be on its way before the terminal stops taking more.
    if session.isRemote, pacing.isQuestionDue(nowNs: model.nowNs) { session.measureRoundTrip() }
  }

  /// Processes rows that the frame does not show. After the first frame with rows it does little,
  /// because the user was waiting; the names requested now bring another frame soon.
  private func catchUpBehindFrame() {
    shownModel.bot.catchUpBehind(shownData, isFirst: !hasShownRows)
    if replay != nil {
      // The live bot goes on.
      model.bot.catchUpBehind(ShownData(scope: shell.scope))
      model.judge()
    }
    catchUpOthers()
    guard !hasShownRows else { return }
    hasShownRows = model.bot.activity.log.count > 0
    if hasShownRows { frames?.setNeedsFrame(.stream) }
  }

  /// A nearby backend sends its rows before the user could read "connecting": draw the first frame
  /// with them, or after 50 ms without.
  package func awaitFirstRows() {
    opener.set(dueNs: model.nowNs + 50_000_000, leewayNs: 5_000_000)
    withObservationTracking {
      _ = (model.bot.activity.revision, model.bot.activity.stats == nil)
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.somethingChanged() }
    }
  }

  /// The first rows or facts are shown at once; later changes wait for the next frame.
  package func somethingChanged() {
    let hasNothing =
      shell.tab == .memory
      ? model.bot.memory.facts.count == 0
      : model.bot.activity.log.count == 0 && model.bot.activity.stats == nil
    let isWaiting = model.nowNs < firstRowsEndNs && hasNothing
    frames?.setNeedsFrame(isWaiting ? .key : .stream)
  }

  /// While nothing changes the backend's streams still speak every 3 s. A tick may come along with
  /// one of them from half a second before its time; as it is a little late without, it soon finds
  /// one, and the machine wakes once less. Where the data brings frames, the next tick waits for it.
  private func setTicker(isAfterTick: Bool) {
    let earlyNs: UInt64 = isAfterTick && tick >= 3_000_000_000 ? 600_000_000 : 0
    ticker.set(dueNs: model.nowNs + tick - earlyNs, leewayNs: earlyNs + 200_000_000)
  }

  /// While seconds are counted down each of them has a frame.
  private var tick: UInt64 {
    let isCounting = shownModel.bot.memory.deletions.contains { $0.state == .held }
    return isCounting || model.isJudgingSoon || sources?.needsSeconds ?? false
      ? 1_000_000_000 : pacing.tickNs
  }

  private func pace() {
    let end = shownModel.bot.activity.log.endRow
    defer { lastEndRow = end }
    pacing.isFlood = end - lastEndRow > session.size.height / 2
    pacing.isFocused = isFocused ?? true
    pacing.tick(nowNs: model.nowNs)
    frames?.streamInterval = pacing.streamInterval
  }

  /// Requests the data on screen that was not requested yet. Past voice sessions wait while rows
  /// arrive faster than the user can read.
  private func fetch(_ needs: [Need]) {
    let needs = needs.filter { need in
      switch need {
      case .summaries, .earlierEvents: !pacing.isFlood
      case .memory, .command, .settings, .history, .voiceSessions, .gateway: true
      }
    }
    shownModel.bot.fetch(needs)
  }

  /// New rows are highlighted for a second. Removing the highlight needs another frame: usually
  /// that of the next rows, otherwise a separate one.
  private func scheduleHighlightEnd() {
    guard shownModel.bot.actions.dropStale(atNs: shownModel.nowNs, within: FeedStyle.freshMs),
      !isHighlightEnding,
      pacing.redrawsFreshRows
    else { return }
    isHighlightEnding = true
    highlightTimer.set(
      dueNs: model.nowNs + (UInt64(FeedStyle.freshMs) + 20) * 1_000_000, leewayNs: 1_200_000_000)
  }
}
