import CockpitSession
import TerminalUI
import CurlTransport
import CockpitDomain
import Networking
import CockpitFiles
import CockpitHistory
import CockpitPanes
import CockpitShell
import CockpitStores
import CockpitVoice

import Foundation
import MainLoop
import Observation
import TerminalCore
import TerminalCurses

/// Ties the parts together: input to the shell, its effects to the program, stores to frames. It
/// decides nothing itself.
@MainActor
package final class CockpitApp {
  /// The stores and the link of the backend in use.
  package var model: CockpitModel
  package let connector: Connector
  /// The sources of a profile with several; nil where there is one. `model` and `shell` are of the one that is shown.
  var sources: LiveSources?
  /// The keys of a backend on which everything is allowed.
  package let allKeys: KeyTable
  /// Opening another backend, or asking one for the setup form.
  package var connecting: Task<Void, Never>?
  /// The look for bots on the local network, while it goes on.
  package var botSearch: LocalBotSearch?
  package let session: TerminalSession
  package let settings: Settings
  private let log: ClientLog?
  package var appearance: Appearance
  /// Whether the terminal's background is dark; nil if it did not report it.
  package var isDark: Bool?
  package let symbols: SymbolSet
  package var shell: CockpitShell {
    didSet {
      hasShellChanged = true
      shownModel.scope = shell.scope
    }
  }
  /// The past, while it is on the screen.
  package var replay: Replay?
  /// The `place` of the past that was drawn.
  var shownPlace = 0
  /// The screen of the live bot, while the past is shown.
  package var liveShell: CockpitShell?
  /// Opens what was recorded of a bot.
  /// The search that is shown.
  var finder: HistoryFinder?
  package let openHistory: @MainActor (OpenedSource) throws(HistoryError) -> any HistoryReading
  /// The digest that was asked for, and the work on it.
  package var digest: DigestState?
  package var digesting: Task<Void, Never>?
  /// The comparison that was asked for, and the work on it.
  package var compared: CompareState?
  package var comparing: Task<Void, Never>?
  /// When the user looked last before this time at the cockpit, in ms since 1970; nil if unknown.
  package var lookedMs: Int64?
  /// The last key, in ms since 1970.
  package var lastInputMs: Int64?
  /// The bundle that is being made, what it is of, and the work on it.
  package var bundle: BundleState?
  package var bundleRequest: (request: BundleRequest, path: String, checked: String)?
  package var bundling: Task<Void, Never>?
  /// The recording that is shown instead of a bot; nil if there is one.
  package var recording: ShownRecording?
  /// Moves the playhead on while it plays.
  package lazy var player = loop.makeTimer { [unowned self] in playOn() }
  package var playedAtNs: UInt64 = 0
  /// What is shown of the past once the recorder has a file.
  package var awaitedPast: AwaitedPast?
  package var recordingSinceNs: UInt64?
  package lazy var pastRetry = loop.makeTimer { [unowned self] in retryAwaitedPast() }
  /// Whether the shell may have changed since the last frame.
  package var hasShellChanged = true
  package var frame: Frame
  private var isMouseOn: Bool
  package private(set) var frames: FrameScheduler?
  let loop: any EventLoop
  package lazy var ticker = loop.makeTimer { [unowned self] in
    // A sleep of the machine is noticed now, not at the next byte.
    eachModel { $0.bot.source.tick() }
    frames?.setNeedsFrame(.tick)
  }
  package lazy var tracking = FrameTracking { [unowned self] in somethingChanged() }
  /// Removes the highlight of new rows after a second.
  package lazy var highlightTimer = loop.makeTimer { [unowned self] in
    isHighlightEnding = false
    frames?.setNeedsFrame(.stream)
  }
  /// Draws the first frame, unless a key or the first rows have one drawn before.
  package lazy var opener = loop.makeTimer { [unowned self] in frames?.setNeedsFrame(.key) }
  /// Starts fetching a day of history after the start, so that the first frame does not wait for
  /// it.
  private lazy var historyStarter = loop.makeTimer { [unowned self] in
    eachModel { $0.bot.fetchDay() }
    startRecording()
    recordOthers()
  }
  /// Reads the recorded weeks for the rules, some time after the start and then hourly.
  package var pastJudge: PastJudge?
  /// Reads the theme files after the start, so that no frame waits for them.
  private lazy var themeChecker = loop.makeTimer { [unowned self] in
    connector.checkThemes()
    model.setup = connector.facts
    loadQueries()
  }
  /// Until then the first rows of a backend are drawn as soon as they come.
  package var firstRowsEndNs: UInt64 = 0
  /// The last focus report of the terminal; nil if there was none.
  package private(set) var isFocused: Bool?
  package var lastEndRow: RowID = 0
  /// A frame with rows has been drawn.
  package var hasShownRows = false
  /// Rows are still unread, and the frame that continues reading has been requested.
  package var isBusy = false
  package var pacing: FramePacing
  /// What takes the last change of a profile's settings back.
  var settingsUndo: ProfileSettingsFile.Undo?
  package let clipboard: Clipboard
  package let alerts: AlertNotifier
  package var title: TitleWriter?
  /// The frame that removes the highlight of new rows has been requested.
  package var isHighlightEnding = false
  private var end: CheckedContinuation<Int32, Never>?
  package private(set) var endCode: Int32?
  /// The text open in the user's editor.
  package var externalEdit: ExternalEdit?
  package var setAsideText: SetAsideText?
  let version: String
  let verbRunner: VerbRunner
  let verbs: ProgramVerbs
  private var unknownInput = UnknownInput()

  /// What is on the screen: the live bot, or the past.
  package var shownModel: CockpitModel { replay?.model ?? model }

  package init(
    version: String, opened: OpenedProfile, connector: Connector, session: TerminalSession,
    appearance: Appearance,
    symbols: SymbolSet,
    tab: Tab, keys: KeyTable, isMouseOn: Bool, loop: any EventLoop, settings: Settings,
    log: ClientLog?, verbs: ProgramVerbs,
    openHistory:
      @escaping @MainActor (OpenedSource) throws(HistoryError) -> any HistoryReading
  ) {
    self.version = version
    self.openHistory = openHistory
    self.verbs = verbs
    self.settings = settings
    self.connector = connector
    self.log = log
    allKeys = keys
    model = CockpitModel(opened.first)
    sources = opened.sources.count > 1 ? LiveSources(opened, first: model) : nil
    self.session = session
    self.appearance = appearance
    self.symbols = symbols
    self.isMouseOn = isMouseOn
    self.loop = loop
    verbRunner = VerbRunner(loop: loop, verbs.run)
    let configuration = settings.configuration
    pacing = FramePacing(
      mode: configuration.lowBandwidth.flatMap(FramePacing.LowBandwidth.init(rawValue:)) ?? .auto)
    clipboard = Clipboard(
      session: session, environment: settings.environment, state: settings.paths.state)
    alerts = AlertNotifier(
      session: session, alerts: configuration.alerts, environment: settings.environment)
    title = configuration.title ?? true ? TitleWriter(session: session) : nil
    shell = CockpitShell(tab: tab, size: session.size, verbs: verbs.table)
    frame = Frame(size: session.size, symbols: symbols)
    shell = newShell(of: model)
    model.scope = shell.scope
    sources?.makeShells { newShell(of: $0) }
    beginMerged()
  }

  /// Runs until the user quits or a signal ends it; gives the exit code.
  package func run() async -> Int32 {
    let frames = FrameScheduler(loop: loop) { [unowned self] in draw($0) }
    frames.canPaint = { [unowned self] in session.isReadyForFrame }
    self.frames = frames
    session.onDrained = { frames.resume() }
    session.onResize = { frames.setNeedsFrame(.key) }
    session.onEvent = { [unowned self] event in handle(event) }
    session.onEnd = { [unowned self] reason in finish(reason.exitCode) }
    session.onNoShell = { [unowned self] in
      tell(
        "not suspended: there is no shell to come back to; "
          + shell.keys.text(.quit) + " quits")
    }
    session.onStall = { [unowned self] in pacing.stalled(ms: $0, nowNs: model.nowNs) }
    session.onAnswer = { [unowned self] in pacing.answered(afterMs: $0, nowNs: model.nowNs) }
    clipboard.say = { [unowned self] in tell($0) }
    prepare()
    eachModel { $0.bot.start() }
    openRecording()
    awaitFirstRows()
    if !appearance.isThemeFixed || session.screen.depth > .mono {
      session.askForFacts { [unowned self] facts in
        if let isDark = facts.isDark { follow(isDark: isDark) }
      }
    }
    return await withCheckedContinuation { continuation in
      // The task may have been suspended before this.
      if let endCode { continuation.resume(returning: endCode) } else { end = continuation }
    }
  }

  /// Connects the model to the screen; call for each new one.
  package func prepare() {
    eachModel { model in
      model.writtenBytes = { [unowned session] in session.writtenBytes }
      model.setup = connector.facts
      prepareChat(of: model)
      model.prepareRecording(version: version)
      if let log { model.keepHistory(in: log) }
    }
    alerts.restart()
    recallLook()
    (awaitedPast, recordingSinceNs) = (nil, nil)
    firstRowsEndNs = model.nowNs + 5_000_000_000
    themeChecker.set(dueNs: model.nowNs + 2_000_000_000, leewayNs: 2_000_000_000)
    historyStarter.set(dueNs: model.nowNs + 1_000_000_000, leewayNs: 300_000_000)
  }

  private func finish(_ code: Int32) {
    endCode = code
    eachModel { $0.chat?.close() }
    frames?.stop()
    ticker.unset()
    highlightTimer.unset()
    opener.unset()
    themeChecker.unset()
    historyStarter.unset()
    pastJudge?.stop()
    sources?.stopJudges()
    player.unset()
    pastRetry.unset()
    verbRunner.abandon()
    botSearch?.callOff()
    digesting?.cancel()
    comparing?.cancel()
    bundling?.cancel()
    keepLook()
    end?.resume(returning: code)
    end = nil
  }

  // MARK: Input

  /// The current state for drawing a frame.
  package var facts: ViewContext {
    var facts = shownModel.facts(
      isMouseOn: isMouseOn, isClientShown: shell.tab == .cmd && replay == nil)
    facts.client.isLowBandwidth = pacing.isLow
    facts.replay = replay?.state
    sources?.complete(&facts, at: replay)
    facts.digest = digest
    facts.compare = compared
    facts.bundle = bundle
    return facts
  }

  private func handle(_ event: InputEvent) {
    switch event {
    case .focus(let isFocused):
      self.isFocused = isFocused
      eachModel { ($0.bot.source as? any ControlledSource)?.noteFocus(isFocused) }
      return
    case .reply(.colorScheme(let isDark)):
      follow(isDark: isDark)
      return
    case .unknown(let bytes):
      if let words = unknownInput.words(for: bytes) { model.bot.history.note(.info, words) }
      return
    case .reply: return
    case .keyReleased(let key, let held):
      if key == .char("t"), held == .ctrl { shownModel.chat?.perform(.voice(.released)) }
      return
    case .keyRepeated(let key, let held):
      // What is held to talk is one press.
      if key == .char("t"), held == .ctrl, holdsToTalk { return }
      return handle(.key(key, held))
    default: break
    }
    noteLook()
    // The form takes the draft that is there when it opens.
    if shell.tab == .memory, !shell.isTyping { shownModel.bot.memoryService.lookForDrafts() }
    shownModel.bot.catchUp(shownData.lists)
    _ = catchUpMerged(listsOnly: true)
    let effects = shell.handle(event, on: facts, frame: frame, read: session.readCount)
    for effect in effects { carryOut(effect) }
    followCursor()
    if holdsToTalk { session.setKeyReleases(shell.isChatShown) }
    frames?.setNeedsFrame(.key)
  }

  /// Whether a key is held to talk.
  private var holdsToTalk: Bool { settings.configuration.voice?.hold == true }

  package func carryOut(_ effect: Effect) {
    switch effect {
    case .quit: if !asksForOthers() { finish(0) }
    case .finishAndQuit:
      let failures = UnfinishedWork.failures(model.bot)
      model.bot.finishForQuit { [weak self] in self?.quit(failuresBefore: failures) }
    case .suspend: session.suspend()
    case .repaint: session.screen.repaint()
    case .toggleMouse:
      isMouseOn.toggle()
      session.setMouse(isMouseOn)
    case .reconnect: shownModel.bot.source.retryNow()
    case .history(let request): shownModel.bot.source.fetchHistory(request)
    case .refetch:
      shownModel.bot.refetch()
      frames?.setNeedsFrame(.key)
    case .loadVoiceHistory: shownModel.bot.voiceHistory.loadList()
    case .loadVoiceSession(let id): shownModel.bot.voiceHistory.open(id)
    case .memory(let request): shownModel.bot.memoryService.perform(request)
    case .edit(let text): edit(text)
    // The shell has done these.
    case .show, .showRun, .showSession, .rows, .say, .press, .perform, .line, .carryOut, .open:
      break
    case .command(let request): shownModel.bot.commandDesk.perform(request)
    case .settings(let request): shownModel.bot.settingsService.perform(request)
    case .switchProfile(let name): switchProfile(to: name)
    case .finishAndSwitch(let name): finishAndSwitch(to: name)
    case .setup(let request): carryOut(request)
    case .profileSettings(let request): carryOut(request)
    case .setTheme(let name, let isKept): setTheme(name, isKept: isKept)
    case .copy(let text, let what): clipboard.copy(text, what: what)
    case .plain(let text): session.showPlain(PlainText.lines(text)) {}
    case .notifyTest: tell(alerts.test(isFocused: isFocused, isGateway: model.isGateway))
    case .exportRows(let path):
      let words = RowExport(log: shownModel.bot.activity.log, scope: shell.scope).write(to: path)
      shell.note(shownName.map { $0 + ": " + words } ?? words)
    case .saveImage(let call, let path): shell.note(shownModel.bot.control.save(call, path: path))
    case .replay(let request): carryOut(request)
    case .digest(let request): carryOut(request)
    case .compare(let request): carryOut(request)
    case .find(let request): carryOut(request)
    case .bundle(let wish): carryOut(wish)
    case .keep(let wish): carryOut(wish)
    case .alarm(let wish):
      tell(shownModel.carryOut(wish))
      frames?.setNeedsFrame(.key)
    case .chat(let request): (replay == nil ? model.chat : nil)?.perform(request)
    case .showSource(let choice): show(choice)
    case .control(let decision): decide(decision)
    case .canvas(let wish): carryOut(wish)
    case .viewImage(let image): view(image)
    case .stopEverything: stopEverything()
    case .keepQueries(let queries): keep(queries: queries)
    case .saveView(let name, let query): saveView(name, query: query)
    case .verb(let words): run(words)
    case .cancelVerb: verbRunner.cancel()
    case .page(let text): page(text)
    }
  }

  /// Says one line about an effect.
  package func tell(_ text: PlainText) {
    shell.note(text)
    frames?.setNeedsFrame(.key)
  }

  /// Quits after everything has an outcome, unless something went wrong meanwhile: that is to be
  /// read first.
  private func quit(failuresBefore before: Int) {
    guard endCode == nil else { return }
    guard UnfinishedWork.failures(model.bot) > before else { return finish(0) }
    shell.stayed(
      "not everything came to a good end; " + whereItIsSaid + " says what, and "
        + shell.keys.text(.quit) + " quits")
    frames?.setNeedsFrame(.key)
  }

  /// The place that tells of failures.
  var whereItIsSaid: PlainText {
    UnfinishedWork.failures(model.bot.memory) > 0 ? "MEMORY" : "the view of the settings in CMD"
  }
}
