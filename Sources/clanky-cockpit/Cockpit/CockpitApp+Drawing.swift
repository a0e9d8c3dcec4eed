import ClankyLink
import CockpitPanes
import CockpitStores
import Foundation
import MainLoop
import Observation
import TerminalCore
import TerminalCurses

/// From stores to frames.
extension CockpitApp {
  /// Draws what is known. Whatever the frame read from a store asks for the next one when it
  /// changes, so a pane that starts to read another store is drawn for it without a word here.
  ///
  /// - Parameter cause: what asks for it.
  func draw(_ cause: FrameScheduler.Cause) -> FrameScheduler.Extent {
    // Kept for no longer: what is in it could not change but in a copy.
    defer { factsOfMove = nil }
    if cause == .key, let extent = drawMove() { return extent }
    drawAll(cause)
    return .all
  }

  private func drawAll(_ cause: FrameScheduler.Cause) {
    var wishes: [Effect] = []
    // No frame shows ages by a clock that has just been set.
    model.link.tick()
    pace()
    let isSame = cause == .tick && change == .none && tracking.isArmed
    tracking.read(isSame: isSame) {
      isBusy = model.syncFeed(shell.pulse.feedQuery)
      let isVoiceShown = shell.tab == .voice || shell.tab == .brain
      if isVoiceShown, model.syncVoice(isShown: true) { isBusy = true }
      if shell.tab == .memory { model.syncFacts(shell.memory.query) }
      if shell.tab == .cmd, model.syncCosts() { isBusy = true }
      var facts = self.facts
      drawnStatus = facts.status
      // A row that looks like the others now is no news. The clock stays where it is: in a quiet feed
      // it is half of what such a frame writes.
      if cause == .settle { facts.nowMs = min(facts.nowMs, drawnMs ?? .max) }
      let query = shell.memory.query
      wishes = shell.wishes(facts, size: session.size)
      if shell.memory.query != query { frames?.setNeedsFrame(.key) }
      let refreshed = isSame ? shell.render(facts, size: session.size, after: frame) : nil
      var next =
        refreshed ?? shell.render(facts, size: session.size, symbols: symbols, reusing: frame)
      if isNoNews(next, cause, nowMs: facts.nowMs) {
        next.keepClock(of: frame)
      } else {
        drawnMs = facts.nowMs
        setTicker(isAfterTick: cause == .tick)
      }
      frame = next
      present()
      title?.show(facts)
      alerts.look(facts, isFocused: isFocused)
      if isBusy { frames?.setNeedsFrame(.stream) }
    }
    change = .none
    readBehindFrame()
    for wish in wishes { carryOut(wish) }
    model.learnNames()
    keepVoiceHistory()
    settleFreshRows()
  }

  /// Draws another place in the feed over the frame that is there. All else stays, the clock too: the
  /// tick that brings it on is on its way, and so is the frame for data that has come.
  ///
  /// - Returns: how much is up to date then; nil where all has to be drawn.
  private func drawMove() -> FrameScheduler.Extent? {
    let hasNews = !tracking.isArmed
    guard change == .moved, !hasTicked, !isBusy, !hasNews || frames?.isLate == false,
      let facts = factsOfMove,
      let next = shell.render(facts, size: session.size, movedAfter: frame, hasNews: hasNews)
    else { return nil }
    change = .none
    frame = next
    present()
    return hasNews ? .part : .all
  }

  private func present() {
    session.present(frame.canvas)
    // Only there can much be on its way before the terminal stops taking more.
    if session.isRemote, pacing.isQuestionDue(nowNs: model.nowNs) { session.measureRoundTrip() }
  }

  /// Reads what the frame does not show. Not behind the first one that has rows, for which somebody has
  /// waited: the names that are asked for now bring another soon.
  private func readBehindFrame() {
    guard hasShownRows else {
      hasShownRows = model.activity.log.count > 0
      if hasShownRows { frames?.setNeedsFrame(.stream) }
      return
    }
    if shell.tab != .voice, shell.tab != .brain { model.syncVoice(isShown: false) }
  }

  /// Whether data came that changes nothing on the screen. The clock stays where it is then, as long as
  /// it would without: a frame of nothing is not worth its bytes.
  private func isNoNews(_ next: Frame, _ cause: FrameScheduler.Cause, nowMs: Int64) -> Bool {
    guard cause == .stream, let drawnMs, (0..<3000).contains(nowMs - drawnMs) else { return false }
    return next.isSame(butForTheClockAs: frame)
  }

  /// A backend that is near has sent its rows before anybody could read that it connects: the first
  /// frame is drawn with them, or a twentieth of a second later without.
  func awaitFirstRows() {
    opener.set(dueNs: model.nowNs + 50_000_000, leewayNs: 5_000_000)
    withObservationTracking {
      _ = (model.activity.revision, model.activity.stats == nil)
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.somethingChanged() }
    }
  }

  /// Whoever waits for the first rows, or facts, sees them at once; later ones have their turn.
  func somethingChanged() {
    let hasNothing =
      shell.tab == .memory
      ? model.memory.facts.count == 0
      : model.activity.log.count == 0 && model.activity.stats == nil
    let isWaiting = model.nowNs < firstRowsEndNs && hasNothing
    frames?.setNeedsFrame(isWaiting ? .key : .stream)
  }

  /// While nothing changes the backend's streams still speak every 3 s. A tick may come along with
  /// one of them from half a second before its time; as it is a little late without, it soon finds
  /// one, and the machine wakes once less. Where the data brings frames, the next tick waits for it.
  private func setTicker(isAfterTick: Bool) {
    let earlyNs: UInt64 = isAfterTick && tick >= 3_000_000_000 ? 600_000_000 : 0
    hasTicked = false
    ticker.set(dueNs: model.nowNs + tick - earlyNs, leewayNs: earlyNs + 200_000_000)
  }

  /// While seconds are counted down each of them has a frame.
  private var tick: UInt64 {
    let isCounting = model.memory.deletions.contains { $0.state == .held }
    return isCounting ? 1_000_000_000 : pacing.tickNs
  }

  private func pace() {
    let end = model.activity.log.endRow
    defer { lastEndRow = end }
    pacing.isFlood = end - lastEndRow > session.size.height / 2
    pacing.isFocused = isFocused ?? true
    pacing.tick(nowNs: model.nowNs)
    frames?.streamInterval = pacing.streamInterval
  }

  /// The list of past sessions, and what is to be known of those on the screen; not while rows come
  /// faster than anybody reads.
  private func keepVoiceHistory() {
    guard shell.tab == .voice || shell.tab == .cmd else { return }
    model.voiceHistory.keepList()
    guard !pacing.isFlood else { return }
    let facts = model.facts
    if shell.tab == .voice {
      let id = shell.voice.liveID(facts)
      model.voiceHistory.keepWhole(id, rowsBeginMs: facts.voiceRowsBeginMs(of: id))
    }
    model.voiceHistory.keepSummaries(
      shell.tab == .cmd
        ? shell.command.wantedSummaries(facts) : shell.voice.wantedSummaries(facts))
  }

  /// New rows stand out for a second; then they need one more frame, which may be that of the next
  /// rows: a frame of its own is made where none comes for some time after.
  private func settleFreshRows() {
    guard model.actions.dropStale(atNs: model.nowNs, within: FeedLook.freshMs), !isSettling,
      pacing.settlesFreshRows
    else { return }
    isSettling = true
    settler.set(
      dueNs: model.nowNs + (UInt64(FeedLook.freshMs) + 20) * 1_000_000, leewayNs: 1_200_000_000)
  }
}
