import CTermSupport
import Dispatch
import Foundation
package import MainLoop
import TerminalCore

/// The terminal while the program has it: modes, input, signals, size, and giving all of it back.
///
/// Make one on the main thread, which should then run the main run loop. Bytes are read here and
/// never by ncurses, so nothing polls and nothing is lost.
@MainActor
package final class TerminalSession {
  /// What the session is to do with which terminal.
  package struct Options: Sendable {
    /// Where keys come from.
    package var input: Int32 = STDIN_FILENO
    /// Where the screen is.
    package var output: Int32 = STDOUT_FILENO
    /// The environment: TERM, COLORTERM, NO_COLOR, LINES, SSH_TTY, TMUX and others.
    package var environment: [String: String]
    /// A wish; nil takes what environment and terminal allow.
    package var depth: ColorDepth?
    /// The first theme.
    package var theme: Theme
    /// Whether to take the mouse at the start.
    package var hasMouse = true
    /// Where standard error goes while the screen is up; nil leaves it alone.
    package var log: Int32?
    /// What is left on the terminal after a crash, for example where the log is.
    package var crashNote: PlainText = ""

    /// Standard input and output, with the mouse.
    package init(environment: [String: String], theme: Theme = .plain) {
      self.environment = environment
      self.theme = theme
    }
  }

  /// What draws; for changing theme and depth, and for repainting.
  package let screen: CursesScreen
  /// Whether the locale is in UTF-8, and so, probably, the terminal.
  package let suggestedSymbols: SymbolSet

  /// What the terminal has told about itself so far.
  package internal(set) var facts = TerminalFacts()

  /// Keys and everything else that comes from the terminal, in order.
  package var onEvent: @MainActor (InputEvent) -> Void = { _ in }
  /// The terminal has a new size, or has been given back after a suspension: draw a frame.
  package var onResize: @MainActor () -> Void = {}
  /// Close the session and end the process.
  package var onEnd: @MainActor (TerminalEnd) -> Void = { _ in }
  /// The terminal takes bytes again after it did not: draw what had to wait.
  package var onDrained: @MainActor () -> Void {
    get { output.onDrained }
    set { output.onDrained = newValue }
  }
  /// The terminal took nothing for so many ms, and does again.
  package var onStall: @MainActor (Int) -> Void {
    get { output.onStall }
    set { output.onStall = newValue }
  }

  /// The process was to stop, and did not: no shell waits that would continue it.
  package var onNoShell: @MainActor () -> Void = {}

  /// The terminal answered `askForLife` after so many ms.
  package var onAnswer: @MainActor (Int) -> Void = { _ in }

  let options: Options
  /// What the terminal may be sent.
  var abilities: TerminalAbilities { screen.identity.abilities }
  /// Whether the terminal is on another machine.
  package let isRemote: Bool
  let output: TerminalOutput
  /// Bytes that the terminal has taken since the start.
  package var writtenBytes: Int { output.writtenBytes }
  var parser = InputParser()
  /// Which reading of the terminal the events come from. Input that was there already when a reading ended
  /// belongs to it: it is one paste, cut by the kernel's buffer.
  package internal(set) var readCount = 0
  /// Whether the next reading goes on with the last one.
  var isReadCut = false
  let loop: any EventLoop
  /// Nil when no key is read any more.
  var keyboard: (any DescriptorWatch)?
  var escapeTimer: (any LoopTimer)?
  var questionTimer: (any LoopTimer)?
  var factsWaiters: [@MainActor (TerminalFacts) -> Void] = []
  /// The window title; nil while it has not been touched.
  var shownTitle: TitleWords?
  /// Whether the terminal keeps the title of before for us; its stack is to be left as it was.
  private var isTitlePushed = false
  /// Whether it answered the questions of the start.
  var answersQuestions = false
  /// Whether answers to those may still come.
  var areAnswersDue = false
  /// When it was asked for a sign of life and has not answered yet.
  var askedForLife: DispatchTime?
  var flashTimer: (any LoopTimer)?
  /// What to do after the plain screen; nil while that is not shown.
  var whenPlainEnds: (@MainActor () -> Void)?
  var hasMouse: Bool
  private var signals: SignalPipe?
  let standardError: StandardError?
  private var knownSize: Size
  private var isSuspended = false
  private(set) var isClosed = false
  /// The program that has the terminal for now.
  var loan: TerminalLoan?
  /// Looks once at what the program makes of the terminal.
  var loanTimer: (any LoopTimer)?

  /// Takes the terminal. When this throws, nothing has been changed.
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
      depth: options.depth, theme: options.theme, size: knownSize)
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

  /// The size of the terminal in cells. At least 1x1; absurd sizes are cut, for a cell has a price.
  package var size: Size { knownSize }

  /// Shows a canvas. Nothing is written when it is on the screen already. While the terminal takes
  /// nothing, nothing is drawn either: false, and `onDrained` comes later.
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

  /// Whether a frame can go out now.
  package var isReadyForFrame: Bool {
    !isClosed && !isSuspended && loan == nil && whenPlainEnds == nil && !output.isBlocked
  }

  /// Gives the terminal back, within a fifth of a second even when it reads nothing any more.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    stopListening()
    escapeTimer?.unset()
    questionTimer?.unset()
    finishQuestions()
    if let loan {
      loan.end()  // it has the terminal, and gives it back the way it was lent
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

  /// Stops the process until the shell continues it, with the terminal as the shell wants it. Where no
  /// shell waits for it nothing would continue it: it goes on, and `onNoShell` says so.
  package func suspend() {
    guard !isClosed, !isSuspended else { return }
    guard !cterm_is_orphaned() else { return onNoShell() }
    guard loan == nil else {
      cterm_stop_self()  // the terminal is not ours to give back
      return
    }
    isSuspended = true
    giveBack()
    cterm_disarm()
    standardError?.restore()
    stopUntilForeground()
  }

  /// Stops until the terminal is ours, and takes it; not after a signal that asks for the end.
  private func stopUntilForeground() {
    let hasStopped = cterm_stop_until_foreground(options.input)
    guard !cterm_is_ending() else { return }
    isSuspended = false
    takeAgain()
    if !hasStopped { onNoShell() }
  }

  /// Everything undone and the shell's modes back.
  func giveBack() {
    let bytes = String(decoding: screen.leave(), as: UTF8.self)
    endFlash()
    let title = isTitlePushed ? TerminalSequences.popTitle : ""
    isTitlePushed = false
    let isTaken = output.finish(
      TerminalSequences.mouse(false, abilities) + TerminalSequences.leave(abilities) + title + bytes
    )
    // What a stopped terminal did not take goes the way of a crash, which also drops what waits.
    if isTaken {
      awaitAnswers()
      cterm_cook()
    } else {
      cterm_restore()
    }
  }

  /// After a stop: whoever had the terminal in between has changed everything.
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
      sendTitle()  // a shell or an editor has set its own meanwhile
    }
    onResize()
  }

  /// Has the terminal keep the title that it has, unless it keeps one already.
  func pushTitle() {
    guard !isTitlePushed else { return }
    isTitlePushed = true
    output.send(TerminalSequences.pushTitle)
  }

  private var modes: String {
    TerminalSequences.enter(abilities) + (hasMouse ? TerminalSequences.mouse(true, abilities) : "")
  }

  /// Tells the crash handlers what there is to undo.
  func arm() {
    var bytes =
      TerminalSequences.emergency(abilities)
      + (shownTitle == nil ? "" : TerminalSequences.popTitle)
    if !options.crashNote.isEmpty { bytes += "\r\n\(options.crashNote)\r\n" }
    bytes.withUTF8 { buffer in
      cterm_arm(
        options.output, UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self),
        buffer.count)
    }
  }

  /// After a stop that came from outside, which may have left another program with the terminal.
  private func continued() {
    // After a stop of our own the terminal has been taken already.
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
  /// More cells than any display has; a terminal may claim 65535 x 65535.
  private static let largest = Size(width: 2000, height: 1000)

  /// True when the size has changed. A terminal that says 0 says nothing.
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

  /// Takes the character type of the user's locale, or UTF-8 when that has another encoding:
  /// ncurses would draw nothing but ASCII. Only LC_CTYPE: numbers keep their points.
  private static func adoptLocale(_ environment: [String: String]) -> SymbolSet {
    let isInstalled = setlocale(LC_CTYPE, "") != nil
    let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
    let installed = isInstalled ? TextEncoding(codeset: codeset) : .unstated
    if installed == .utf8 { return .unicode }
    if setlocale(LC_CTYPE, "C.UTF-8") == nil { setlocale(LC_CTYPE, "en_US.UTF-8") }
    // A locale without an encoding says nothing about the terminal; a named one does.
    return switch installed == .unstated ? TextEncoding(environment: environment) : installed {
    case .utf8: .unicode
    case .other: .ascii
    case .unstated: .safe
    }
  }

  /// `ESCDELAY` as ncurses reads it, in milliseconds; else 25, or 50 over SSH.
  private static func escapeDelay(_ environment: [String: String]) -> Duration {
    if let text = environment["ESCDELAY"], let number = Int(text), (1...5000).contains(number) {
      return .milliseconds(number)
    }
    return .milliseconds(environment["SSH_TTY"] == nil ? 25 : 50)
  }
}
