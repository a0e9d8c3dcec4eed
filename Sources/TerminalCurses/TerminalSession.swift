import CTermSupport
import Dispatch
import Foundation
package import MainLoop
import TerminalCore

/// Owns the terminal: modes, input, signals, size, and restoring all of it.
///
/// Create it on the main thread, which then runs the event loop. Input is read here, never by ncurses,
/// so nothing polls and no byte is lost.
@MainActor
package final class TerminalSession {
  /// Which terminal to use, and how.
  package struct Options: Sendable {
    /// Descriptor of the keyboard.
    package var input: Int32 = STDIN_FILENO
    /// Descriptor of the screen.
    package var output: Int32 = STDOUT_FILENO
    /// The environment: TERM, COLORTERM, NO_COLOR, LINES, SSH_TTY, TMUX and others.
    package var environment: [String: String]
    /// Requested colour depth; nil uses the deepest that environment and terminal allow.
    package var depth: ColorDepth?
    /// The initial theme.
    package var theme: Theme
    /// Whether mouse reporting is on at the start.
    package var hasMouse = true
    /// Whether links are written (OSC 8); nil writes them to terminals that are known to take them.
    package var links: Bool?
    /// Descriptor for standard error while the screen is up; nil leaves it alone.
    package var log: Int32?
    /// Printed on the terminal after a crash, for example the path of the log.
    package var crashNote: PlainText = ""

    /// Standard input and output, with the mouse.
    package init(environment: [String: String], theme: Theme = .plain) {
      self.environment = environment
      self.theme = theme
    }
  }

  /// The renderer; changes theme and depth, and repaints.
  package let screen: CursesScreen
  /// The glyphs the encoding of the locale, and so probably the terminal, can show.
  package let suggestedSymbols: SymbolSet

  /// What the terminal has reported about itself so far.
  package internal(set) var facts = TerminalFacts()

  /// Keys and everything else that comes from the terminal, in order.
  package var onEvent: @MainActor (InputEvent) -> Void = { _ in }
  /// The terminal has a new size or was reclaimed: draw a frame.
  package var onResize: @MainActor () -> Void = {}
  /// Asks to close the session and end the process.
  package var onEnd: @MainActor (TerminalEnd) -> Void = { _ in }
  /// The terminal accepts bytes again: draw the pending frame.
  package var onDrained: @MainActor () -> Void {
    get { output.onDrained }
    set { output.onDrained = newValue }
  }
  /// The terminal accepts bytes again after a stall, in ms.
  package var onStall: @MainActor (Int) -> Void {
    get { output.onStall }
    set { output.onStall = newValue }
  }

  /// A suspension was refused: no shell would continue the process.
  package var onNoShell: @MainActor () -> Void = {}

  /// The round trip of `measureRoundTrip`, in ms.
  package var onAnswer: @MainActor (Int) -> Void = { _ in }

  let options: Options
  /// What may be sent to the terminal.
  var abilities: TerminalAbilities { screen.identity.abilities }
  /// Whether the terminal is on another machine.
  package let isRemote: Bool
  let output: TerminalOutput
  /// Bytes accepted by the terminal since the start.
  package var writtenBytes: Int { output.writtenBytes }
  var parser = InputParser()
  /// Number of the read that events come from. Input already available when a read ends counts with it:
  /// it is one paste, split by the kernel's buffer.
  package internal(set) var readCount = 0
  /// Whether the next read continues the last one.
  var isReadCut = false
  let loop: any EventLoop
  /// nil once keys are no longer read.
  var keyboard: (any DescriptorWatch)?
  var escapeTimer: (any LoopTimer)?
  var questionTimer: (any LoopTimer)?
  var factsWaiters: [@MainActor (TerminalFacts) -> Void] = []
  /// The window title; nil if it was never set.
  var shownTitle: TitleText?
  /// Whether our push is on the terminal's title stack, which must be left as it was.
  private var isTitlePushed = false
  /// Whether it answered the queries at the start.
  var answersQuestions = false
  /// Whether answers to those are still pending.
  var areAnswersDue = false
  /// When the pending round trip started.
  var roundTripStart: DispatchTime?
  var flashTimer: (any LoopTimer)?
  /// Called after the plain screen; nil while it is not shown.
  var whenPlainEnds: (@MainActor () -> Void)?
  var hasMouse: Bool
  private var signals: SignalPipe?
  let standardError: StandardError?
  private var knownSize: Size
  private var isSuspended = false
  private(set) var isClosed = false
  /// The program that currently owns the terminal.
  var loan: TerminalLoan?
  /// Checks the input mode of that program once.
  var loanTimer: (any LoopTimer)?

  /// Takes control of the terminal. If it throws, nothing has been changed.
  package init(
    _ options: Options, loop: any EventLoop = DispatchLoop()
  ) throws(TerminalFailure) {
    self.loop = loop
    guard isatty(options.input) == 1, isatty(options.output) == 1 else { throw .notATerminal }
    suggestedSymbols = Self.adoptLocale(options.environment)
    self.options = options
    isRemote = ["SSH_TTY", "SSH_CONNECTION"].contains {
      !(options.environment[$0] ?? "").isEmpty
    }
    hasMouse = options.hasMouse
    knownSize = Self.size(of: options.output) ?? Self.fallbackSize(options.environment)
    screen = try CursesScreen(
      term: options.environment["TERM"] ?? "", environment: options.environment,
      depth: options.depth, theme: options.theme, size: knownSize, links: options.links)
    output = TerminalOutput(descriptor: options.output, loop: loop)
    standardError = options.log.map { StandardError(replacement: $0) }
    parser.escapeDelay = Self.escapeDelay(options.environment)

    guard cterm_make_raw(options.input) else {
      let number = errno
      output.close()
      throw .noModes(errno: number)
    }
    arm()
    standardError?.redirect()
    signals = SignalPipe(loop: loop) { [weak self] in self?.receive(signal: $0) }
    output.onFailure = { [weak self] in self?.end(.hangUp) }
    output.send(modes)
    listen()
  }

  /// The size of the terminal in cells: at least 1x1, and limited, because each cell costs memory.
  package var size: Size { knownSize }

  /// Shows a canvas; writes nothing if it is on the screen already. False if the terminal is not ready:
  /// nothing is drawn, and `onDrained` follows.
  @discardableResult
  package func present(_ canvas: Canvas) -> Bool {
    guard isReadyForFrame else { return false }
    let frame = screen.frame(canvas)
    guard !frame.isEmpty else { return true }
    guard facts.hasSynchronizedOutput else {
      output.send(frame)
      return true
    }
    output.send(
      Array(TerminalSequences.beginFrame.utf8) + frame + Array(TerminalSequences.endFrame.utf8))
    return true
  }

  /// Whether a frame can be written now.
  package var isReadyForFrame: Bool {
    !isClosed && !isSuspended && loan == nil && whenPlainEnds == nil && !output.isBlocked
  }

  /// Restores the terminal, within 200 ms even if it no longer reads.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    stopListening()
    escapeTimer?.unset()
    questionTimer?.unset()
    finishQuestions()
    if let loan {
      loan.end()  // it restores the terminal as it got it
      cterm_cook()
    } else if !isSuspended {
      cterm_leave_background_alone()
      giveBack()
      cterm_disarm()
      standardError?.restore()
    }
    output.close()
    signals?.close()
    signals = nil
  }

  /// Restores the terminal and stops the process until the shell continues it. In an orphaned process
  /// group nothing would continue it, so it keeps running and calls `onNoShell`.
  package func suspend() {
    guard !isClosed, !isSuspended else { return }
    guard !cterm_is_orphaned() else { return onNoShell() }
    guard loan == nil else {
      cterm_stop_self()  // the borrower owns the terminal
      return
    }
    isSuspended = true
    giveBack()
    cterm_disarm()
    standardError?.restore()
    stopUntilForeground()
  }

  /// Stops until in the foreground, then takes the terminal, unless a signal asks the process to end.
  private func stopUntilForeground() {
    let hasStopped = cterm_stop_until_foreground(options.input)
    guard !cterm_is_ending() else { return }
    isSuspended = false
    takeAgain()
    if !hasStopped { onNoShell() }
  }

  /// Undoes all modes and restores those of the shell.
  func giveBack() {
    let bytes = String(decoding: screen.leave(), as: UTF8.self)
    endFlash()
    let title = isTitlePushed ? TerminalSequences.popTitle : ""
    isTitlePushed = false
    let releases = parser.reportsReleases ? TerminalSequences.releasesOff : ""
    let isTaken = output.finish(
      releases + TerminalSequences.mouse(false, abilities) + TerminalSequences.leave(abilities)
        + title + bytes
    )
    // A stopped terminal is restored as after a crash, which discards pending output.
    if isTaken {
      awaitAnswers()
      cterm_cook()
    } else {
      cterm_restore()
    }
  }

  /// Sets all modes again: another program may have changed any of them.
  func takeAgain() {
    whenPlainEnds = nil
    parser.forgetSequence()
    _ = cterm_make_raw(options.input)
    arm()
    standardError?.redirect()
    updateSize()
    screen.enter()
    screen.repaint()
    output.send(modes)
    if shownTitle != nil {
      pushTitle()
      sendTitle()  // the shell or an editor may have set its own
    }
    onResize()
  }

  /// Pushes the current title on the terminal's stack, once.
  func pushTitle() {
    guard !isTitlePushed else { return }
    isTitlePushed = true
    output.send(TerminalSequences.pushTitle)
  }

  private var modes: String {
    TerminalSequences.enter(abilities) + (hasMouse ? TerminalSequences.mouse(true, abilities) : "")
      + (parser.reportsReleases ? TerminalSequences.releasesOn : "")
  }

  /// Registers the bytes the crash handlers write to restore the terminal.
  func arm() {
    var bytes =
      (parser.reportsReleases ? "\u{1B}\\" + TerminalSequences.releasesOff : "")
      + TerminalSequences.emergency(abilities)
      + (screen.identity.writesLinks(options.links) ? LinkTarget.close : "")
      + (shownTitle == nil ? "" : TerminalSequences.popTitle)
    if !options.crashNote.isEmpty { bytes += "\r\n\(options.crashNote)\r\n" }
    bytes.withUTF8 { buffer in
      cterm_arm(
        options.output, UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self),
        buffer.count)
    }
  }

  /// Handles SIGCONT after a stop by another process; the terminal may belong to another program now.
  private func continued() {
    // After our own stop the terminal was already reclaimed.
    guard !isClosed, !isSuspended, loan == nil, !cterm_is_ending(), cterm_take_continued() else {
      return
    }
    if cterm_is_foreground(options.input) { takeAgain() } else { stopUntilForeground() }
  }

  func end(_ reason: TerminalEnd) {
    guard !isClosed else { return }
    onEnd(reason)
  }

  private func receive(signal: Int32) {
    switch signal {
    case SIGWINCH: if updateSize() { onResize() }
    case SIGTSTP: suspend()
    case SIGCONT: continued()
    default: end(.signal(signal))
    }
  }
}

extension TerminalSession {
  /// Upper limit; a terminal may report 65535 x 65535.
  private static let largest = Size(width: 2000, height: 1000)

  /// True if the size has changed. A size of 0 means unknown.
  @discardableResult
  private func updateSize() -> Bool {
    guard let size = Self.size(of: options.output), size != knownSize else { return false }
    knownSize = size
    return true
  }

  private static func size(of descriptor: Int32) -> Size? {
    var (rows, columns): (Int32, Int32) = (0, 0)
    guard cterm_window_size(descriptor, &rows, &columns) else { return nil }
    return Size(
      width: min(Int(columns), largest.width), height: min(Int(rows), largest.height))
  }

  /// `COLUMNS` and `LINES`, or the 80x24 of every terminal since the VT52.
  private static func fallbackSize(_ environment: [String: String]) -> Size {
    func value(_ name: String, _ standard: Int, _ most: Int) -> Int {
      guard let number = environment[name].flatMap({ Int($0) }), number > 0 else { return standard }
      return min(number, most)
    }
    return Size(
      width: value("COLUMNS", 80, largest.width), height: value("LINES", 24, largest.height))
  }

  /// Sets LC_CTYPE from the user's locale, or to UTF-8 if that has another encoding, with which ncurses
  /// would draw only ASCII. Only LC_CTYPE, so that number formats stay.
  private static func adoptLocale(_ environment: [String: String]) -> SymbolSet {
    let isInstalled = setlocale(LC_CTYPE, "") != nil
    let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
    let installed = isInstalled ? TextEncoding(codeset: codeset) : .unstated
    if installed == .utf8 { return .unicode }
    if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "en_US.UTF-8") }
    // Only a locale that names an encoding tells what the terminal uses.
    return switch installed == .unstated ? TextEncoding(environment: environment) : installed {
    case .utf8: .unicode
    case .other: .ascii
    case .unstated: .safe
    }
  }

  /// `ESCDELAY` in ms, as in ncurses; otherwise 25 ms, or 50 ms over SSH.
  private static func escapeDelay(_ environment: [String: String]) -> Duration {
    if let text = environment["ESCDELAY"], let number = Int(text), (1...5000).contains(number) {
      return .milliseconds(number)
    }
    return .milliseconds(environment["SSH_TTY"] == nil ? 25 : 50)
  }
}
