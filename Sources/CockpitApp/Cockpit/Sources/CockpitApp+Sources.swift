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

  /// A screen as it is at the start.
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
    guard let sources, let index = sources.index(of: choice) else { return }
    if index == sources.focused {
      return tell(PlainText("\(sources.members[index].name) is shown already", limit: 200))
    }
    focus(index)
    // The header names it too: what is wrong is more important.
    shell.tell(news: PlainText("\(sources.members[index].name) is shown now", limit: 200))
  }

  func focus(_ index: Int) {
    guard let sources, index != sources.focused, sources.members.indices.contains(index) else {
      return
    }
    // What is on the screen besides is of the source that is left.
    showLive("")
    endWork()
    keepLook()
    let left = shell
    let member = sources.members[index]
    var next = sources.focus(index, leaving: left) ?? newShell(of: member.model)
    next.takeOver(from: left)
    model = member.model
    connector.show(member.opened)
    shell = next
    hasShownRows = model.bot.activity.log.count > 0
    recallLook()
    forgetFrame()
    frames?.setNeedsFrame(.key)
  }

  /// Ends digests, comparisons, searches and bundles.
  private func endWork() {
    carryOut(DigestRequest.stop)
    carryOut(CompareRequest.stop)
    carryOut(FindRequest.stop)
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

  // MARK: With each frame

  /// Judges the sources that are not shown, and looks at what asks for the owner there.
  func attendOthers(_ cause: FrameScheduler.Cause) {
    guard let sources else { return }
    for index in sources.others {
      let model = sources.members[index].model
      if cause != .key { model.judge() }
      let alarms = cause == .key || alerts.isSilent ? [] : model.newAlarms()
      let call = model.attend(
        alarms: alarms, readsRows: cause != .key, isFocused: isFocused,
        isSeen: shell.isControlOpen && replay == nil)
      sources.update(index) { ($0.alarms, $0.call) = (alarms, call) }
    }
  }

  /// Makes felt what the others ask for.
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
    }
  }

  /// Starts the recorders of the sources that are not shown.
  func recordOthers() {
    guard let sources else { return }
    for index in sources.others {
      let model = sources.members[index].model
      guard let recorder = model.recorder, recorder.start() else { continue }
      let judge = PastJudge(
        model.bot.clock, startMs: 40_000 + 5_000 * UInt64(index),
        nowMs: { model.bot.serverNowMs }, read: { await model.readPast(isCancelled: $0) })
      sources.update(index) { $0.judge = judge }
      judge.start()
    }
  }
}
