import ClankyHTTP
import ClankyLink
import CockpitFiles
import CockpitPanes
import CockpitStores

import Foundation
import MainLoop
import Observation
import TerminalCore
import TerminalCurses

/// Ties the parts together: input to the shell, its effects to the program, stores to frames. It
/// decides nothing itself.
@MainActor
final class CockpitApp {
  /// The stores and the link of the backend in use.
  var model: CockpitModel
  let connector: Connector
  /// The keys of a backend on which everything is allowed.
  let allKeys: KeyTable
  /// Opening another backend, or asking one for the setup form.
  var connecting: Task<Void, Never>?
  let session: TerminalSession
  let settings: Settings
  private let log: ClientLog?
  var appearance: Appearance
  /// Whether the terminal's background is dark; nil when it has not said.
  var isDark: Bool?
  private let symbols: SymbolSet
  var shell: CockpitShell {
    didSet { change = .any }
  }
  /// What has become of the shell since the last frame.
  private var change = ShellChange.any
  private var frame: Frame
  private var isMouseOn: Bool
  private(set) var frames: FrameScheduler?
  private let loop: any EventLoop
  private lazy var ticker = loop.makeTimer { [unowned self] in
    model.link.tick()  // a sleep of the machine is noticed now, not at the next byte
    frames?.setNeedsFrame(.tick)
  }
  private lazy var tracking = FrameTracking { [unowned self] in somethingChanged() }
  /// Lets new rows look like the others when their second is over.
  private lazy var settler = loop.makeTimer { [unowned self] in
    isSettling = false
    frames?.setNeedsFrame(.settle)
  }
  /// Draws the first frame, unless a key or the first rows have one drawn before.
  private lazy var opener = loop.makeTimer { [unowned self] in frames?.setNeedsFrame(.key) }
  /// Reads the theme files when the start is over: no frame waits for them.
  private lazy var themeChecker = loop.makeTimer { [unowned self] in
    connector.checkThemes()
    model.setup = connector.facts
  }
  /// Until then the first rows of a backend are drawn as soon as they come.
  private var firstRowsEndNs: UInt64 = 0
  /// What the terminal said last about its focus; nil while it said nothing.
  private(set) var isFocused: Bool?
  private var lastEndRow: RowID = 0
  /// The time that the last frame showed, in ms since 1970 on the backend's clock.
  private var drawnMs: Int64?
  private var pacing: FramePacing
  let clipboard: Clipboard
  let alerts: AlertDesk
  private var title: TitleKeeper?
  /// A frame that lets new rows look like the others is already asked for.
  private var isSettling = false
  private var end: CheckedContinuation<Int32, Never>?
  private var endCode: Int32?
  /// The text that the user's editor has, while it has one.
  private var externalEdit: ExternalEdit?
  private let verbRunner: VerbRunner

  init(
    connector: Connector, session: TerminalSession, appearance: Appearance, symbols: SymbolSet,
    tab: Tab, keys: KeyTable, isMouseOn: Bool, loop: any EventLoop, settings: Settings,
    log: ClientLog?
  ) {
    self.settings = settings
    self.connector = connector
    self.log = log
    allKeys = keys
    model = CockpitModel(backend: connector.backend)
    self.session = session
    self.appearance = appearance
    self.symbols = symbols
    self.isMouseOn = isMouseOn
    self.loop = loop
    verbRunner = VerbRunner(loop: loop)
    let configuration = settings.configuration
    pacing = FramePacing(
      mode: configuration.lowBandwidth.flatMap(FramePacing.LowBandwidth.init(rawValue:)) ?? .auto)
    clipboard = Clipboard(
      session: session, environment: settings.environment, state: settings.paths.state)
    alerts = AlertDesk(
      session: session, alerts: configuration.alerts, environment: settings.environment)
    title = configuration.title ?? true ? TitleKeeper(session: session) : nil
    shell = CockpitShell(
      tab: tab, keys: model.facts.isReadOnly ? allKeys.withoutMutations : allKeys,
      guild: model.guild, size: session.size, verbs: { VerbTable.program })
    shell.heldAtQuit = settings.heldAtQuit
    shell.adopt(settings.layout)
    frame = Frame(size: session.size, symbols: symbols)
  }

  /// Runs until the user quits or a signal ends it; gives the exit code.
  func run() async -> Int32 {
    let frames = FrameScheduler(loop: loop) { [unowned self] in draw($0) }
    frames.canPaint = { [unowned self] in session.isReadyForFrame }
    self.frames = frames
    session.onDrained = { frames.resume() }
    session.onResize = { frames.setNeedsFrame(.key) }
    session.onEvent = { [unowned self] event in handle(event) }
    session.onEnd = { [unowned self] reason in finish(reason.exitCode) }
    session.onStall = { [unowned self] in pacing.stalled(ms: $0, nowNs: model.nowNs) }
    session.onAnswer = { [unowned self] in pacing.answered(afterMs: $0, nowNs: model.nowNs) }
    clipboard.say = { [unowned self] in tell($0) }
    prepare()
    model.link.start()
    awaitFirstRows()
    if !appearance.isThemeFixed || session.screen.depth > .mono {
      session.askForFacts { [unowned self] facts in
        if let isDark = facts.isDark { follow(isDark: isDark) }
      }
    }
    if let endCode { return endCode }
    return await withCheckedContinuation { end = $0 }
  }

  /// What the model needs to know besides its backend: to be called for each new one.
  func prepare() {
    model.writtenBytes = { [unowned session] in session.writtenBytes }
    model.setup = connector.facts
    alerts.restart()
    if let log { model.keepHistory(in: log) }
    firstRowsEndNs = model.nowNs + 5_000_000_000
    themeChecker.set(dueNs: model.nowNs + 2_000_000_000, leewayNs: 2_000_000_000)
  }

  private func finish(_ code: Int32) {
    endCode = code
    frames?.stop()
    ticker.unset()
    settler.unset()
    opener.unset()
    themeChecker.unset()
    verbRunner.abandon()
    end?.resume(returning: code)
    end = nil
  }

  // MARK: Drawing

  /// Draws what is known. Whatever the frame read from a store asks for the next one when it
  /// changes, so a pane that starts to read another store is drawn for it without a word here.
  ///
  /// - Parameter cause: what asks for it.
  private func draw(_ cause: FrameScheduler.Cause) {
    var wishes: [Effect] = []
    pace()
    // Another place in the feed is made of what was read for the one before.
    let hasMoved = cause == .key && change == .moved && frame.isStill
    let isSame = (cause == .tick && change == .none || hasMoved) && tracking.isArmed
    tracking.read(isSame: isSame) {
      var isBusy = model.syncFeed(shell.pulse.feedQuery)
      let isVoiceShown = shell.tab == .voice || shell.tab == .brain
      if isVoiceShown, model.syncVoice(isShown: true) { isBusy = true }
      if shell.tab == .memory { model.syncFacts(shell.memory.query) }
      if shell.tab == .cmd, model.syncCosts() { isBusy = true }
      var facts = self.facts
      // A row that looks like the others now is no news. The clock stays where it is: in a quiet feed
      // it is half of what such a frame writes.
      if cause == .settle { facts.nowMs = min(facts.nowMs, drawnMs ?? .max) }
      let query = shell.memory.query
      wishes = shell.wishes(facts, size: session.size)
      if shell.memory.query != query { frames?.setNeedsFrame(.key) }
      let refreshed =
        isSame
        ? shell.render(facts, size: session.size, after: frame, hasMoved: hasMoved) : nil
      var next =
        refreshed ?? shell.render(facts, size: session.size, symbols: symbols, reusing: frame)
      if isNoNews(next, cause, nowMs: facts.nowMs) {
        next.keepClock(of: frame)
      } else {
        drawnMs = facts.nowMs
        setTicker(isAfterTick: cause == .tick)
      }
      frame = next
      session.present(frame.canvas)
      // Only there can much be on its way before the terminal stops taking more.
      if session.isRemote, pacing.isQuestionDue(nowNs: model.nowNs) { session.askForLife() }
      title?.show(facts)
      alerts.look(facts, isFocused: isFocused)
      if isBusy { frames?.setNeedsFrame(.stream) }
    }
    change = .none
    // What the frame does not show is read when it is on the screen.
    if shell.tab != .voice, shell.tab != .brain { model.syncVoice(isShown: false) }
    for wish in wishes { carryOut(wish) }
    model.learnNames()
    keepVoiceHistory()
    settleFreshRows()
  }

  /// Whether data came that changes nothing on the screen. The clock stays where it is then, as long as
  /// it would without: a frame of nothing is not worth its bytes.
  private func isNoNews(_ next: Frame, _ cause: FrameScheduler.Cause, nowMs: Int64) -> Bool {
    guard cause == .stream, let drawnMs, (0..<3000).contains(nowMs - drawnMs) else { return false }
    return next.isSame(butForTheClockAs: frame)
  }

  /// A backend that is near has sent its rows before anybody could read that it connects: the first
  /// frame is drawn with them, or a twentieth of a second later without.
  private func awaitFirstRows() {
    opener.set(dueNs: model.nowNs + 50_000_000, leewayNs: 5_000_000)
    withObservationTracking {
      _ = (model.activity.revision, model.activity.stats == nil)
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.somethingChanged() }
    }
  }

  /// Whoever waits for the first rows, or facts, sees them at once; later ones have their turn.
  private func somethingChanged() {
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
    ticker.set(dueNs: model.nowNs + tick - earlyNs, leewayNs: earlyNs + 200_000_000)
  }

  /// While seconds are counted down each of them has a frame.
  private var tick: UInt64 {
    let isCounting = model.memory.deletions.contains { $0.state == .held }
    return isCounting ? 1_000_000_000 : pacing.tickNs
  }

  /// What a frame may show, as of now.
  var facts: Facts {
    var facts = model.facts(isMouseOn: isMouseOn, isClientShown: shell.tab == .cmd)
    facts.client.isLowBandwidth = pacing.isLow
    return facts
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

  // MARK: Input

  private func handle(_ event: InputEvent) {
    switch event {
    case .focus(let isFocused):
      self.isFocused = isFocused
      return
    case .reply(.colorScheme(let isDark)):
      follow(isDark: isDark)
      return
    case .reply, .unknown: return
    default: break
    }
    model.syncFeed(shell.pulse.feedQuery)
    if shell.tab == .memory { model.syncFacts(shell.memory.query) }
    let before = change
    let effects = shell.handle(event, on: facts, frame: frame)
    change = before == .any || !shell.hasOnlyMoved ? .any : .moved
    for effect in effects { carryOut(effect) }
    frames?.setNeedsFrame(.key)
  }

  func carryOut(_ effect: Effect) {
    switch effect {
    case .quit: finish(0)
    case .finishAndQuit:
      let failures = UnfinishedWork.failures(model.memory)
      model.desk.settleForQuit { [weak self] in self?.quit(failuresBefore: failures) }
    case .suspend: session.suspend()
    case .repaint: session.screen.repaint()
    case .toggleMouse:
      isMouseOn.toggle()
      session.setMouse(isMouseOn)
    case .reconnect: model.link.retryNow()
    case .loadVoiceHistory: model.voiceHistory.loadList()
    case .loadVoiceSession(let id): model.voiceHistory.open(id)
    case .memory(let request): model.desk.perform(request)
    case .edit(let text): edit(text)
    case .show, .showSession: break  // the shell has done it
    case .command(let request): model.commandDesk.perform(request)
    case .switchProfile(let name): switchProfile(to: name)
    case .finishAndSwitch(let name): finishAndSwitch(to: name)
    case .setup(let request): carryOut(request)
    case .setTheme(let name, let isKept): setTheme(name, isKept: isKept)
    case .copy(let text, let what): clipboard.copy(text, what: what)
    case .plain(let text): session.showPlain(PlainText.lines(text)) {}
    case .notifyTest: tell(alerts.test(isFocused: isFocused))
    case .exportRows(let path): shell.note(RowExport(log: model.activity.log).write(to: path))
    case .verb(let words): run(words)
    case .cancelVerb: verbRunner.cancel()
    case .page(let text): page(text)
    }
  }

  /// Says one line about an effect.
  func tell(_ text: PlainText) {
    shell.note(text)
    frames?.setNeedsFrame(.key)
  }

  /// Quits after everything has an outcome, unless something went wrong meanwhile: that is to be
  /// read first.
  private func quit(failuresBefore before: Int) {
    guard endCode == nil else { return }
    guard UnfinishedWork.failures(model.memory) > before else { return finish(0) }
    shell.stayed(
      "not everything came to a good end; MEMORY says what, and "
        + shell.keys.text(.quit) + " quits")
    frames?.setNeedsFrame(.key)
  }

  private func edit(_ text: String) {
    do throws(FileError) {
      let edit = try ExternalEdit(text)
      externalEdit = edit
      session.edit(path: edit.path) { [weak self] end in
        guard let self else { return }
        externalEdit = nil
        let (text, note) = edit.finish(end)
        let effects = shell.edited(text, on: facts)
        for effect in effects { carryOut(effect) }
        shell.note(note)
        frames?.setNeedsFrame(.key)
      }
    } catch {
      shell.note(PlainText(error.description))
    }
  }

  /// What to tell the user on standard error after the end: where the text is that an editor had
  /// when a signal ended the program.
  func lastWords() -> PlainText? { externalEdit?.abandon() }

  /// Runs a verb as a shell would and shows what it says.
  private func run(_ words: [String]) {
    let invocation = model.invocation
    verbRunner.run(
      invocation.arguments(words, .program), environment: invocation.environment(on: screen)
    ) { [weak self] output, end in
      self?.shell.verbEnded(words, output: output, end: end)
      self?.frames?.setNeedsFrame(.key)
    }
  }

  /// The screen as it is now.
  private var screen: RunningScreen {
    RunningScreen(
      size: session.size, depth: session.screen.depth, isDark: session.facts.isDark,
      hasSynchronizedOutput: session.facts.hasSynchronizedOutput, glyphs: symbols.kind,
      hasNoColorWish: model.invocation.hasNoColorWish)
  }

  private func page(_ text: String) {
    session.page(PlainText.lines(text)) { [weak self] end in
      guard let self else { return }
      switch end {
      case .ended(status: 126), .ended(status: 127):
        shell.note("the pager was not found; set PAGER to one that is installed")
      case .notStarted(let number):
        shell.note(PlainText("no pager could be started (error \(number))"))
      case .ended: break
      }
      frames?.setNeedsFrame(.key)
    }
  }

  /// Follows the terminal between light and dark, unless a theme was chosen by name.
  private func follow(isDark: Bool) {
    self.isDark = isDark
    guard !appearance.isThemeFixed else { return }
    session.screen.adopt(theme: appearance.theme(isDark: isDark))
    frames?.setNeedsFrame(.key)
  }
}

/// What has become of the shell since a frame.
private enum ShellChange {
  case none
  /// It stands elsewhere in the feed.
  case moved
  case any
}
