import CockpitThemes
import Dispatch
import Foundation
import TerminalCore
import TerminalCurses

/// A small full-screen program for tests: shows its input, and exits in every possible way.
@main
struct ProbeMain {
  static func main() {
    Task { @MainActor in
      do {
        try Probe.start()
      } catch {
        FileHandle.standardError.write(Data("terminal-probe: \(error)\n".utf8))
        exit(2)
      }
    }
    RunLoop.main.run()  // keeps the main actor on the main thread
  }
}

@MainActor
final class Probe {
  private let session: TerminalSession
  private var lines: [PlainText] = ["ready"]
  private var ticks = 0
  private var frames: FrameScheduler?
  private var theme = 0
  private let arguments = Set(CommandLine.arguments.dropFirst())
  private var ticker: (any DispatchSourceTimer)?

  private init() throws {
    let environment = ProcessInfo.processInfo.environment
    var options = TerminalSession.Options(
      environment: environment, theme: EmbeddedThemes.named("terminal-dark") ?? .plain)
    options.log = environment["PROBE_LOG"].map { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
    options.crashNote = "the log has more"
    session = try TerminalSession(options)
  }

  static func start() throws {
    let probe = try Probe()
    probe.run()
  }

  /// The handlers keep the probe alive.
  private func run() {
    let frames = FrameScheduler { _ in
      self.paint()
    }
    self.frames = frames
    frames.canPaint = { self.session.isReadyForFrame }
    session.onDrained = { frames.resume() }
    session.onResize = { self.note("size \(self.session.size.width)x\(self.session.size.height)") }
    session.onEvent = { self.handle($0) }
    session.onNoShell = { self.note("no shell") }
    session.onEnd = { reason in
      if self.arguments.contains("stubborn") { while true { sleep(1) } }
      self.quit(reason.exitCode)
    }
    if arguments.contains("flood") { startTicker() }
    if arguments.contains("facts") {
      Task {
        let facts = await self.session.askForFacts()
        let color = facts.backgroundColor.map { String($0, radix: 16) } ?? "none"
        self.note("facts \(PlainText(color)) sync \(facts.hasSynchronizedOutput ? 1 : 0)")
      }
    }
    frames.setNeedsFrame(.key)
  }

  /// A new frame every millisecond, more than an unread terminal can buffer.
  private func startTicker() {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: .milliseconds(1))
    timer.setEventHandler {
      MainActor.assumeIsolated {
        self.ticks += 1
        self.frames?.setNeedsFrame(.key)
      }
    }
    timer.activate()
    ticker = timer
  }

  private func note(_ text: PlainText) {
    lines.append(text)
    frames?.setNeedsFrame(.key)
  }

  private func paint() {
    var canvas = Canvas(size: session.size, symbols: session.suggestedSymbols)
    canvas.panel("probe", trailing: "\(ticks)", in: canvas.bounds, isFocused: true) { canvas in
      let height = canvas.bounds.height
      for (y, line) in lines.suffix(height).enumerated() { canvas.write(line, y: y) }
      guard arguments.contains("flood") else { return }
      for y in 0..<height where y > lines.count {
        let letter = PlainText(String(UnicodeScalar(UInt8(97 + (ticks + y) % 26))))
        for x in 0..<canvas.bounds.width / 2 { canvas.write(letter, x: x * 2, y: y, role: .llm) }
      }
    }
    session.present(canvas)
  }

  private func quit(_ code: Int32) {
    session.close()
    exit(code)
  }

  private func handle(_ event: InputEvent) {
    switch event {
    case .key(let key, let modifiers):
      let press = KeyPress(key, modifiers)
      note("key \(PlainText(press.description))")
      perform(press)
    case .paste(let text): note("paste \(PlainText(text))")
    case .keyRepeated(let key, _): note("repeated \(key)")
    case .keyReleased(let key, _): note("released \(key)")
    case .pasteStalled: note("paste stalled")
    case .mouse(let kind, let column, let row, _):
      note("mouse \(PlainText("\(kind)")) \(column) \(row)")
    case .focus(let isIn): note("focus \(isIn ? "in" : "out")")
    case .reply: note("reply")
    case .unknown: note("unknown")
    }
  }

  private func perform(_ press: KeyPress) {
    switch press.description {
    case "q": quit(0)
    case "C-z": session.suspend()
    case "x": exit(7)
    case "f": fatalError("boom")
    case "i": print(lines[lines.count + ticks])
    case "a": abort()
    case "s": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case "o": ticks = Self.overflow(1)
    case "e": FileHandle.standardError.write(Data("stray words\n".utf8))
    case "c": session.copy("hello\u{1B}")
    case "t":
      var title = TitleText("probe")
      title.add("#", lines.count)
      session.setTitle(title)
    case "b": session.ring()
    case "l": session.flash()
    case "9": session.notify(title: "a;b", body: "c\u{07}d", via: .osc9)
    case "8": session.notify(title: "a;b", body: "c\u{07}d", via: .osc99)
    case "w":
      let text = (1...3).map { "plain \($0) \u{1B}[31m\u{202E}" }
      session.showPlain(PlainText.lines(text.joined(separator: "\n"))) { self.note("plain over") }
    case "n": session.notify(title: "a;b\u{1B}", body: "c\u{07}d")
    case "m": session.setMouse(false)
    case "v":
      let text = (1...200).map { "line \($0) of the text \u{1B}[31m\u{202E}" }
      session.page(PlainText.lines(text.joined(separator: "\n"))) { self.note("paged \($0)") }
      // The main queue goes on: this is due while the pager has the terminal.
      DispatchQueue.main.async { self.note("meanwhile") }
    case "p":
      theme += 1
      let names = EmbeddedThemes.names
      if let next = EmbeddedThemes.named(names[theme % names.count]) {
        session.screen.adopt(theme: next)
      }
    default: break
    }
  }

  @inline(never)
  private static func overflow(_ depth: Int) -> Int {
    var big = (depth, depth, depth, depth, depth, depth, depth, depth)
    big.0 &+= depth
    return depth == -1 ? 0 : overflow(depth + 1) &+ big.0
  }
}
