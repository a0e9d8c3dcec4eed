import ClankyHTTP
import ClankyLink
import CockpitFiles
import CockpitPanes
import CockpitStores
import Dispatch
import Foundation
import Observation
import TerminalCore
import TerminalCurses

/// Ties the parts together: input to the shell, its effects to the program, stores to frames. It
/// decides nothing itself.
@MainActor
final class CockpitApp {
  let model: CockpitModel
  let session: TerminalSession
  private let appearance: Appearance
  private let symbols: SymbolSet
  var shell: CockpitShell
  private var frame: Frame
  private var isMouseOn: Bool
  private(set) var frames: FrameScheduler?
  private var ticker: (any DispatchSourceTimer)?
  /// What the terminal said last about its focus; nil while it said nothing.
  private(set) var isFocused: Bool?
  private var lastEndRow: RowID = 0
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

  init(
    model: CockpitModel, session: TerminalSession, appearance: Appearance, symbols: SymbolSet,
    tab: Tab, isMouseOn: Bool, heldAtQuit: HeldAtQuit, settings: Settings
  ) {
    self.model = model
    self.session = session
    self.appearance = appearance
    self.symbols = symbols
    self.isMouseOn = isMouseOn
    let configuration = settings.configuration
    pacing = FramePacing(
      mode: configuration.lowBandwidth.flatMap(FramePacing.LowBandwidth.init(rawValue:)) ?? .auto)
    clipboard = Clipboard(
      session: session, environment: settings.environment, state: settings.paths.state)
    alerts = AlertDesk(
      session: session, alerts: configuration.alerts, environment: settings.environment)
    title = configuration.title ?? true ? TitleKeeper(session: session) : nil
    shell = CockpitShell(
      tab: tab, keys: model.facts.isReadOnly ? .standard.withoutMutations : .standard,
      guild: model.guild, size: session.size)
    shell.heldAtQuit = heldAtQuit
    frame = Frame(size: session.size, symbols: symbols)
  }

  /// Runs until the user quits or a signal ends it; gives the exit code.
  func run() async -> Int32 {
    let frames = FrameScheduler { [unowned self] in draw() }
    frames.canPaint = { [unowned self] in session.isReadyForFrame }
    self.frames = frames
    session.onDrained = { frames.resume() }
    session.onResize = { frames.setNeedsFrame(.key) }
    session.onEvent = { [unowned self] event in handle(event) }
    session.onEnd = { [unowned self] reason in finish(reason.exitCode) }
    session.onStall = { [unowned self] in pacing.stalled(ms: $0, nowNs: model.nowNs) }
    session.onAnswer = { [unowned self] in pacing.answered(afterMs: $0, nowNs: model.nowNs) }
    clipboard.say = { [unowned self] in tell($0) }

    let ticker = DispatchSource.makeTimerSource(queue: .main)
    ticker.schedule(deadline: .now() + tick, leeway: .milliseconds(200))
    ticker.setEventHandler { [unowned self] in
      MainActor.assumeIsolated {
        model.link.tick()  // a sleep of the machine is noticed now, not at the next byte
        frames.setNeedsFrame(.stream)
      }
    }
    ticker.activate()
    self.ticker = ticker

    model.link.start()
    frames.setNeedsFrame(.key)
    if !appearance.isThemeFixed || session.screen.depth > .mono {
      let facts = await session.askForFacts()
      if let isDark = facts.isDark { follow(isDark: isDark) }
    }
    if let endCode { return endCode }
    return await withCheckedContinuation { end = $0 }
  }

  private func finish(_ code: Int32) {
    endCode = code
    frames?.stop()
    ticker?.cancel()
    end?.resume(returning: code)
    end = nil
  }

  // MARK: Drawing

  /// Draws what is known. Whatever the frame read from a store asks for the next one when it
  /// changes, so a pane that starts to read another store is drawn for it without a word here.
  private func draw() {
    var wishes: [Effect] = []
    ticker?.schedule(deadline: .now() + tick, leeway: .milliseconds(200))
    pace()
    withObservationTracking {
      var isBusy = model.syncFeed(shell.pulse.feedQuery)
      let isVoiceShown = shell.tab == .voice || shell.tab == .brain
      if model.syncVoice(isShown: isVoiceShown), isVoiceShown { isBusy = true }
      if shell.tab == .memory { model.syncFacts(shell.memory.query) }
      let facts = currentFacts()
      let query = shell.memory.query
      wishes = shell.wishes(facts, size: session.size)
      if shell.memory.query != query { frames?.setNeedsFrame(.key) }
      frame = shell.render(facts, size: session.size, symbols: symbols)
      session.present(frame.canvas)
      // Only there can much be on its way before the terminal stops taking more.
      if session.isRemote, pacing.isQuestionDue(nowNs: model.nowNs) { session.askForLife() }
      title?.show(facts)
      alerts.look(facts, isFocused: isFocused)
      if isBusy { frames?.setNeedsFrame(.stream) }
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.frames?.setNeedsFrame(.stream) }
    }
    for wish in wishes { carryOut(wish) }
    model.learnNames()
    if shell.tab == .voice { keepVoiceHistory() }
    settleFreshRows()
  }

  /// While seconds are counted down each of them has a frame.
  private var tick: DispatchTimeInterval {
    let isCounting = model.memory.deletions.contains { $0.state == .held }
    return isCounting ? .seconds(1) : pacing.tick
  }

  /// What a frame may show, as of now.
  func currentFacts() -> Facts {
    var facts = model.facts(isMouseOn: isMouseOn)
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
    model.voiceHistory.keepList()
    if !pacing.isFlood {
      model.voiceHistory.keepSummaries(shell.voice.wantedSummaries(model.facts))
    }
  }

  /// New rows stand out for a second; then they need one more frame.
  private func settleFreshRows() {
    guard model.actions.dropStale(atNs: model.nowNs, within: FeedLook.freshMs), !isSettling,
      pacing.settlesFreshRows
    else { return }
    isSettling = true
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(Int(FeedLook.freshMs) + 20)) {
      [weak self] in
      MainActor.assumeIsolated {
        self?.isSettling = false
        self?.frames?.setNeedsFrame(.stream)
      }
    }
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
    let effects = shell.handle(event, on: currentFacts(), frame: frame)
    for effect in effects { carryOut(effect) }
    frames?.setNeedsFrame(.key)
  }

  private func carryOut(_ effect: Effect) {
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
    case .copy(let text, let what): clipboard.copy(text, what: what)
    case .plain(let text): session.showPlain(PlainText.lines(text)) {}
    case .notifyTest: tell(alerts.test(isFocused: isFocused))
    case .switchProfile, .setTheme, .setup, .verb: break
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
    shell.stayed("not everything came to a good end; MEMORY says what, and q quits")
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
        let effects = shell.edited(text, on: model.facts(isMouseOn: isMouseOn))
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
    guard !appearance.isThemeFixed else { return }
    session.screen.adopt(theme: appearance.theme(isDark: isDark))
    frames?.setNeedsFrame(.key)
  }
}
