import CockpitDomain
import CockpitHistory
import Networking
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import MainLoop
import TerminalCore
import TerminalCurses

/// Several sources on one screen.
extension CockpitApp {
  /// The state of each source; of the only one where there is one.
  func eachModel(_ body: (CockpitModel) -> Void) {
    guard let sources else { return body(model) }
    for member in sources.members { body(member.model) }
  }

  /// The keys that work on the source that is shown.
  var workingKeys: KeyTable { keys(of: model) }

  private func keys(of model: CockpitModel) -> KeyTable {
    var facts = model.facts
    sources?.complete(&facts)
    return allKeys.working(on: facts)
  }

  /// A shell in its initial state.
  func newShell(of model: CockpitModel) -> CockpitShell {
    var new = CockpitShell(
      tab: shell.tab, keys: keys(of: model), guild: model.guild, size: session.size,
      verbs: verbs.table)
    new.heldAtQuit = settings.heldAtQuit
    new.adopt(settings.layout)
    return new
  }

  /// Ends the connections and the recorders.
  package func stopSources() {
    eachModel { $0.bot.source.stop() }
    eachModel { $0.recorder?.stop() }
  }

  // MARK: Walking

  func show(_ choice: SourceChoice) {
    guard let sources else { return }
    switch choice {
    case .all: merge(true)
    case .rows(let query):
      merge(false)
      shell.showRows(query, facts)
    case .named(let name):
      guard let index = sources.members.firstIndex(where: { $0.name == name }) else { return }
      showAlone(index)
    case .triage(let name):
      guard let index = sources.members.firstIndex(where: { $0.name == name }) else { return }
      showAlone(index)
      shell.openTriage()
    case .next where shell.tab != .pulse:
      if sources.isMerged { shell.followFeed() }
      focus((sources.focused + 1) % sources.members.count)
    case .next where sources.isMerged: showAlone(0)
    case .next where sources.focused == sources.members.count - 1: merge(true)
    case .next: showAlone(sources.focused + 1)
    }
    frames?.setNeedsFrame(.key)
  }

  /// Shows the feeds of all sources in PULSE as one, or that of the shown one.
  private func merge(_ isMerged: Bool) {
    guard let sources, sources.isMerged != isMerged else { return }
    if var live = liveShell {
      sources.merge(isMerged, in: &live)
      liveShell = live
      shell.showPastFeed(isOfSeveral: isMerged)
    } else {
      sources.merge(isMerged, in: &shell)
    }
    forgetFrame()
  }

  private func showAlone(_ index: Int) {
    guard let sources else { return }
    merge(false)
    focus(index)
    // The header names it too: what is wrong is more important.
    shell.tell(news: PlainText("\(sources.members[index].name) is shown now", limit: 200))
  }

  /// Shows all sources in PULSE, as at the start.
  func beginMerged() {
    guard let sources else { return }
    sources.begin(with: shell.pulse)
    sources.merge(true, in: &shell)
  }

  /// The source of the row under the cursor of PULSE is the one that the other tabs show.
  func followCursor() {
    guard let sources, sources.isMerged, shell.tab == .pulse,
      let row = shell.pulse.cursor.flatMap(SourceRow.init), row.source != sources.focused
    else { return }
    focus(row.source, isByCursor: true)
    shell.chooseRow()
  }

  /// What the screen shows of the source that is shown.
  var shownData: ShownData {
    guard let sources, sources.isMerged else { return shell.shown }
    return shell.shown(ofSource: sources.focused)
  }

  /// One of the sources as the screen shows it: at the playhead, or live.
  private func shownModel(ofSource index: Int, _ sources: LiveSources) -> CockpitModel {
    replay?.models[index] ?? sources.members[index].model
  }

  /// Brings the feeds of the others up to date while they are shown as one.
  ///
  /// - Returns: whether rows are left to read.
  func catchUpMerged(listsOnly: Bool = false) -> Bool {
    guard let sources, sources.isMerged, shell.tab == .pulse else { return false }
    var isBehind = false
    for index in sources.others {
      let model = shownModel(ofSource: index, sources)
      let all = shell.shown(ofSource: index)
      var shown = ShownData(scope: model.scope, feed: all.feed, folding: all.folding)
      if listsOnly { shown = shown.lists }
      if model.bot.catchUp(shown) { isBehind = true }
    }
    return isBehind
  }

  /// Brings the cost rates of all sources up to date while they are listed.
  func catchUpFleet() {
    guard let sources, shell.isFleetOpen else { return }
    for member in sources.members { member.model.bot.catchUpCostRate(member.model.scope) }
  }

  /// Requests the rows that the filter of all sources names and that the others have not here.
  func fetchMerged() {
    guard let sources, sources.isMerged, shell.tab == .pulse, shell.pulse.isFiltering
    else { return }
    for index in sources.others {
      let model = shownModel(ofSource: index, sources)
      model.bot.fetch(shell.pulse.needs(model.facts))
    }
  }

  /// The name of the source that is shown; nil where there is one.
  var shownName: PlainText? {
    guard let sources, replay == nil else { return nil }
    return PlainText(sources.members[sources.focused].name, limit: 40)
  }

  /// - Parameter isByCursor: whether the cursor of the merged feed moved to a row of this source; the feed then keeps
  ///   its frame and its position.
  func focus(_ index: Int, isByCursor: Bool = false) {
    guard let sources, index != sources.focused, sources.members.indices.contains(index) else {
      return
    }
    if !isByCursor { keepLook() }
    endWork()
    if let replay { return focus(index, at: replay, isByCursor: isByCursor) }
    let left = shell
    let member = sources.members[index]
    var next = sources.focus(index, leaving: left) ?? newShell(of: member.model)
    next.takeOver(from: left)
    model = member.model
    connector.show(member.opened)
    shell = next
    hasShownRows = model.bot.activity.log.count > 0
    if !isByCursor {
      recallLook()
      forgetFrame()
    }
    lastEndRow = model.bot.activity.log.endRow
    frames?.setNeedsFrame(.key)
  }

  /// Another source is shown at the same place of the past.
  private func focus(_ index: Int, at replay: Replay, isByCursor: Bool) {
    guard let sources, let left = liveShell else { return }
    let member = sources.members[index]
    var next = sources.focus(index, leaving: left) ?? newShell(of: member.model)
    next.takeOver(from: left)
    liveShell = next
    model = member.model
    connector.show(member.opened)
    replay.focus(index)
    let pulse = shell.pulse
    shell.showPast(keys: workingKeys.withoutMutations, focusesLine: false)
    if sources.isMerged { _ = shell.exchange(pulse: pulse) }
    if isByCursor { shell.chooseRow() } else { forgetFrame() }
    lastEndRow = shownModel.bot.activity.log.endRow
    frames?.setNeedsFrame(.key)
  }

  /// Ends digests, comparisons, searches and bundles.
  private func endWork() {
    if digest != nil { carryOut(DigestRequest.stop) }
    if compared != nil { carryOut(CompareRequest.stop) }
    if finder != nil { carryOut(FindRequest.stop) }
    (awaitedPast, recordingSinceNs) = (nil, nil)
  }

  /// Shows a source with unfinished work before the program ends, each once: it may ask.
  ///
  /// - Returns: whether one is shown.
  func asksForOthers() -> Bool {
    guard let sources else { return false }
    sources.shownBeforeQuit.insert(sources.focused)
    let waiting = sources.others.first { index in
      let bot = sources.members[index].model.bot
      return !sources.shownBeforeQuit.contains(index)
        && !UnfinishedWork(bot.memory, bot.settings).isEmpty
    }
    guard let waiting else { return false }
    focus(waiting)
    tell(
      PlainText("\(sources.members[waiting].name) has unfinished changes; ", limit: 200)
        + shell.keys.text(.quit) + " asks what to do with them")
    return true
  }

  /// Gives a text that was not sent back to the input of the source that it was for.
  func give(back text: String, to model: CockpitModel) {
    guard model !== self.model, let sources,
      let index = sources.members.firstIndex(where: { $0.model === model })
    else { return shell.take(unsent: text) }
    sources.update(index) { $0.shell?.take(unsent: text) }
  }

  /// Shows a draft in the input of the conversations of a model.
  func show(draft: String, of model: CockpitModel) {
    guard model !== self.model, let sources,
      let index = sources.members.firstIndex(where: { $0.model === model })
    else { return shell.show(draft: draft) }
    sources.update(index) { $0.shell?.show(draft: draft) }
  }

  // MARK: With each frame

  /// Judges the sources that are not shown, and looks at what asks for the owner there.
  func attendOthers(_ cause: FrameScheduler.Cause) {
    guard let sources else { return }
    for index in sources.others {
      let model = sources.members[index].model
      if cause != .key {
        model.judge()
        replay?.models[index].judge()
      }
      let alarms = cause == .key || alerts.isSilent ? [] : model.newAlarms()
      let call = model.attend(
        alarms: alarms, readsRows: cause != .key, isFocused: isFocused,
        isSeen: shell.isControlOpen && replay == nil)
      sources.update(index) { ($0.alarms, $0.call) = (alarms, call) }
    }
  }

  /// Carries out the alerts of the other sources.
  func alertOthers() {
    guard let sources else { return }
    for index in sources.others {
      let member = sources.members[index]
      if var call = member.call {
        call.notification?.title.insert(contentsOf: member.name + ": ", at: "".startIndex)
        alerts.carryOut(call)
      } else {
        alerts.look(
          member.model.facts, alarms: member.alarms, isFocused: isFocused, source: index)
      }
    }
  }

  /// Processes rows of the sources that are not shown.
  func catchUpOthers() {
    guard let sources else { return }
    for index in sources.others {
      let model = sources.members[index].model
      model.bot.catchUpBehind(ShownData(scope: model.scope))
      _ = model.bot.actions.dropStale(atNs: model.nowNs, within: FeedStyle.freshMs)
    }
  }

  /// The first batch of a recorder has a snapshot, and to pack it takes 3 MB: recorders that start at once would take
  /// twenty times that, which the heap keeps.
  private static let recorderIntervalNs: UInt64 = 150_000_000

  /// Starts the recorders of the sources that are not shown, one after the other.
  func recordOthers() {
    guard let sources else { return }
    for (order, index) in sources.others.enumerated() {
      let clock = sources.members[index].model.bot.clock
      let timer = clock.schedule(afterNs: UInt64(order) * Self.recorderIntervalNs) { [weak self] in
        self?.record(index)
      }
      sources.update(index) { $0.recordStart = timer }
    }
  }

  private func record(_ index: Int) {
    guard let sources else { return }
    let model = sources.members[index].model
    guard let recorder = model.recorder, recorder.start() else { return }
    let judge = PastJudge(
      model.bot.clock, startMs: 40_000 + 5_000 * UInt64(index),
      nowMs: { model.bot.serverNowMs }, read: { await model.readPast(isCancelled: $0) })
    sources.update(index) { $0.judge = judge }
    judge.start()
  }
}
