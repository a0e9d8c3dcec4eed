import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import MainLoop
import TerminalCore
import TerminalCurses
import TerminalUI

/// The past on the screen.
extension CockpitApp {
  /// How often the playhead moves while it plays.
  private static let playIntervalNs: UInt64 = 100_000_000

  package func carryOut(_ request: ReplayRequest) {
    defer { frames?.setNeedsFrame(.key) }
    if case .live = request {
      awaitedPast = nil
      guard recording == nil else {
        return shell.note("a recording: there is no live bot; " + shell.keys.text(.quit) + " quits")
      }
      return showLive("back at the present")
    }
    if replay == nil {
      guard open(for: request) else { return }
      // Opening shows the moment at which it was asked for.
      if case .open = request { return }
    }
    guard let replay else { return }
    let place = replay.place
    if case .jumpIncident(let isOlder) = request { return jump(in: replay, isOlder: isOlder) }
    let words = replay.perform(request)
    if replay.place != place { showOther() }
    if case .seekHit(let row) = request { shell.reveal(row, facts) }
    if let words { shell.note(PlainText(words, limit: 300)) }
    if replay.isPlaying { playFurther() } else { player.unset() }
  }

  /// Goes to an incident when it is found.
  private func jump(in replay: Replay, isOlder: Bool) {
    shell.note("looking for an incident")
    Task { [weak self] in
      let place = replay.place
      let words = await replay.jumpIncident(isOlder: isOlder)
      guard let self, self.replay === replay else { return }
      if replay.place != place { showOther() }
      shell.note(words.map { PlainText($0, limit: 300) })
      frames?.setNeedsFrame(.key)
    }
  }

  /// Shows the past as of now.
  ///
  /// - Returns: whether there is one.
  private func open(for request: ReplayRequest) -> Bool {
    do throws(HistoryError) {
      guard let bots = try openPasts(for: .replay(request)) else {
        shell.note("recording has just begun; the past is shown in a moment")
        return false
      }
      let command =
        "clanky-cockpit replay "
        + (recording.map { ShellWords.quoted($0.path) }
          ?? "--url \(ShellWords.quoted(connector.opened.name))")
      if let bot = bots.first, bots.count == 1, bot.history is MergedHistory {
        read(bot, for: request, command)
        return false
      }
      show(
        try Replay(
          bots, focused: sources?.focused ?? 0, atMs: model.bot.serverNowMs,
          file: recording?.words, command: command))
      return true
    } catch {
      shell.note(PlainText("no past to show: \(whyNoPast(error))", limit: 300))
      return false
    }
  }

  private func show(_ replay: Replay) {
    liveShell = shell
    self.replay = replay
    replay.onArrival = { [weak self, weak replay] in
      guard let self, let replay, self.replay === replay else { return }
      if replay.place != shownPlace { showOther() }
      frames?.setNeedsFrame(.key)
    }
    showOther()
  }

  /// Opens the past from a database, which is read off the main thread. The latest request wins.
  private func read(
    _ bot: Replay.Part, for request: ReplayRequest, _ command: String
  ) {
    shell.note("reading the history of the team")
    let atMs: Int64
    if case .seek(let ms) = request { atMs = ms } else { atMs = model.bot.serverNowMs }
    Task { [weak self] in
      guard let self else { return }
      do throws(HistoryError) {
        let replay = try await Replay.open(
          bot, atMs: atMs, file: recording?.words, command: command)
        guard self.replay == nil else { return }
        show(replay)
        if case .open = request {} else { carryOut(request) }
        if let speed = recording?.speed {
          replay.play(speed: speed)
          playFurther()
        }
      } catch {
        shell.note(PlainText("no past to show: \(error)", limit: 300))
      }
      frames?.setNeedsFrame(.key)
    }
  }

  /// The recorded histories of all sources on the screen: one playhead moves over all of them.
  ///
  /// - Returns: nil if the recorder has just begun: the request is carried out again later.
  private func openPasts(for request: AwaitedPast) throws(HistoryError) -> [Replay.Part]? {
    guard let sources else {
      let opened = connector.opened
      guard let history = try openPast(for: request) else { return nil }
      return [Replay.Part(settings.profileName, history, opened: opened, live: model)]
    }
    awaitedPast = nil
    var parts: [Replay.Part] = []
    var (hasRows, isBeginning) = (false, false)
    for member in sources.members {
      var history: any HistoryReading = NoHistory()
      do throws(HistoryError) {
        let opened = try openHistory(member.opened)
        if try opened.span() != nil { (history, hasRows) = (opened, true) }
      } catch {
        guard error.reason == .missing else { throw error }
      }
      // One that is not recorded is named on the time line.
      if history is NoHistory, member.model.recorder != nil { isBeginning = true }
      parts.append(
        Replay.Part(member.name, history, opened: member.opened, live: member.model))
    }
    guard isBeginning || !hasRows else { return parts }
    recordOthers()
    return awaitRecorder(for: request) ? nil : parts
  }

  /// Shows the recording that the program was started for.
  func openRecording() {
    guard let recording else { return }
    carryOut(ReplayRequest.seek(ms: recording.atMs))
    guard let replay, let speed = recording.speed else { return }
    replay.play(speed: speed)
    playFurther()
  }

  /// Why there is nothing to show, and what to do.
  func whyNoPast(_ error: HistoryError) -> String {
    guard error.reason == .missing else { return error.description }
    if model.recorder != nil { return "recording has just begun; try again in some seconds" }
    if settings.options.source != nil {
      return "the embedded demo is not recorded; 'clanky-cockpit demo' with --url is"
    }
    return
      "nothing was recorded of this bot; start without --no-history, with [history] record = true"
  }

  /// The rows on the screen are others: nothing that was drawn or selected before stands for them.
  private func showOther() {
    shownPlace = replay?.place ?? 0
    shell.showPast(keys: workingKeys.withoutMutations, focusesLine: true)
    forgetFrame()
  }

  func forgetFrame() {
    frame = Frame(size: session.size, symbols: symbols)
    hasShellChanged = true
    lastEndRow = shownModel.bot.activity.log.endRow
  }

  /// Shows the live bot again; does nothing while it is shown.
  package func showLive(_ words: PlainText) {
    guard replay != nil, recording == nil, var shell = liveShell else { return }
    player.unset()
    replay?.stop()
    let tab = self.shell.tab
    replay = nil
    liveShell = nil
    shell.show(tab: tab)
    self.shell = shell
    self.shell.note(words)
    forgetFrame()
  }

  private func playFurther() {
    playedAtNs = model.nowNs
    player.set(dueNs: playedAtNs + Self.playIntervalNs, leewayNs: 20_000_000)
  }

  /// Moves the playhead on by the time that has passed.
  package func playOn() {
    guard let replay, replay.isPlaying else { return }
    let hasArrived = replay.play(byNs: model.nowNs - playedAtNs)
    frames?.setNeedsFrame(.stream)
    if hasArrived, recording != nil { return shell.note("the end of the recording") }
    if hasArrived { return showLive("the playhead has reached the present") }
    playFurther()
  }
}

/// A recording that is shown instead of a bot.
package struct ShownRecording: Sendable {
  /// The file, and what is redacted in it.
  package var words: PlainText
  package var path: String
  /// Where the playhead is at first, in ms since 1970.
  package var atMs: Int64
  /// Seconds of the past in a second; nil to stand.
  package var speed: Int?

  package init(words: PlainText, path: String, atMs: Int64, speed: Int?) {
    self.words = words
    self.path = path
    self.atMs = atMs
    self.speed = speed
  }
}
