import Foundation
import TerminalTestKit
import Testing

/// The cockpit on a terminal of its own, and what a person would do with it.
final class Cockpit {
  let pty: PTYProcess
  /// The terminal's modes before the program has touched them.
  let modesBefore: TerminalModes
  /// The backend lives as long as its screen.
  private var backend: DemoBackend?

  init(
    _ arguments: [String], home: TemporaryFolder, token: String? = nil, rows: Int = 24,
    columns: Int = 80, term: String? = "xterm-256color", environment: [String: String] = [:]
  ) throws {
    pty = try PTYProcess(
      Tool.path, arguments,
      environment: Tool.environment(home: home, token: token, term: term, environment), rows: rows,
      columns: columns)
    // Those of another fresh terminal: on a busy machine the program may have set its own by now.
    modesBefore = TerminalModes.fresh ?? TerminalModes(of: pty.master)
  }

  /// The cockpit of a demo backend, once it is live and shows rows.
  convenience init(
    on demo: DemoBackend, _ arguments: [String] = [], home: TemporaryFolder, rows: Int = 24,
    columns: Int = 80, term: String? = "xterm-256color", environment: [String: String] = [:]
  ) throws {
    // A backend with open access has no token, and the cockpit takes no empty one.
    let token = demo.token.isEmpty ? [] : ["--token-file", demo.tokenFile]
    try self.init(
      ["--url", demo.url] + token + arguments, home: home, rows: rows, columns: columns,
      term: term, environment: environment)
    backend = demo
    // The narrowest screens have no chips.
    try see("live rows") {
      isLive && $0.firstMatch(of: columns < 60 ? /\d\d:\d\d:\d\d [A-Z]{3}/ : /ACT \d/) != nil
    }
  }

  var screen: String { pty.terminal.text }

  /// Whether the header says that everything is heard, as in `LIVE <4s`.
  var isLive: Bool { line(0).firstMatch(of: /LIVE <?\d/) != nil }

  func line(_ row: Int) -> String { pty.terminal.line(row) }

  func type(_ text: String) { pty.send(text) }

  /// Reads until the screen shows a text.
  func see(_ text: String, _ timeout: Duration = Tool.patience) throws {
    try see(text, timeout) { $0.contains(text) }
  }

  /// What the threads of the program do: one that waits, and one that computes, look alike on the screen.
  private var threads: String {
    let folder = "/proc/\(pty.processID)/task/"
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard !ids.isEmpty else { return "the program is no more" }
    return ids.sorted().map { id in
      let facts = ["comm", "stat", "wchan", "syscall"].map { name in
        let text = (try? String(contentsOfFile: folder + id + "/" + name, encoding: .utf8)) ?? "-"
        // Of its figures: the state, and the time in the program and in the kernel, in 1/100 s.
        let words = text.split(separator: " ")
        guard name == "stat", words.count > 14 else { return text.prefix(60).filter { $0 != "\n" } }
        return "\(words[2]) \(words[13])+\(words[14])"
      }
      return "thread \(id): " + facts.joined(separator: ", ")
    }.joined(separator: "\n")
  }

  /// Reads until the screen is as it should be, and stays so while nothing more comes: a frame
  /// may be read in pieces, and half a frame is neither the old nor the new screen.
  func see(
    _ what: String, _ timeout: Duration = Tool.patience, where isDone: (String) -> Bool
  ) throws {
    let start = ContinuousClock.now
    let deadline = start + timeout
    repeat {
      guard pty.pump(timeout: deadline - .now, until: { isDone(screen) }) else { break }
      var count = pty.output.count
      var quietSince = ContinuousClock.now
      pty.pump(timeout: .milliseconds(500)) {
        if pty.output.count != count {
          count = pty.output.count
          quietSince = .now
        }
        return ContinuousClock.now - quietSince > .milliseconds(30)
      }
    } while !isDone(screen) && ContinuousClock.now < deadline
    guard isDone(screen) else {
      let state = "\nafter \(ContinuousClock.now - start)\n" + threads
      throw PTYProcess.Failure.timeout(waitingFor: what, screen: screen + state)
    }
  }

  /// Types, and reads until the screen shows a text.
  func type(_ keys: String, see text: String) throws {
    type(keys)
    try see(text)
  }

  /// Where a text stands; the first row from the top.
  func find(_ text: String) -> (row: Int, column: Int)? {
    for row in 0..<pty.terminal.rows {
      let line = line(row)
      guard let range = line.range(of: text) else { continue }
      return (row, line.distance(from: line.startIndex, to: range.lowerBound))
    }
    return nil
  }

  /// A press and a release of the left button, in SGR coordinates.
  func click(row: Int, column: Int) {
    type("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
  }

  func click(on text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let place = try #require(
      find(text), "\(text) is not on\n\(screen)", sourceLocation: sourceLocation)
    click(row: place.row, column: place.column + 1)
  }

  /// Waits for the end, and checks that the terminal is as it was.
  func expectEnd(
    _ status: PTYProcess.Status, _ timeout: Duration = Tool.patience, what: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(pty.wait(timeout: timeout) == status, "\(what)", sourceLocation: sourceLocation)
    expectRestored(what, sourceLocation: sourceLocation)
  }

  /// Line editing, screen, mouse, paste and focus modes, cursor: all as before.
  func expectRestored(_ what: String = "", sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      TerminalModes(of: pty.master) == modesBefore, "\(what): modes of the line",
      sourceLocation: sourceLocation)
    let text = String(decoding: pty.output, as: UTF8.self)
    for mode in ["1049", "2004", "1004", "1006", "1002", "2031", "2026"] {
      guard let on = text.range(of: "\u{1B}[?\(mode)h", options: .backwards) else { continue }
      let off = text.range(of: "\u{1B}[?\(mode)l", options: .backwards)
      #expect(
        off.map { $0.lowerBound > on.lowerBound } ?? false, "\(what): mode \(mode) is off",
        sourceLocation: sourceLocation)
    }
    guard let hidden = text.range(of: "\u{1B}[?25l", options: .backwards) else { return }
    let shown = text.range(of: "25h", options: .backwards)
    #expect(
      shown.map { $0.lowerBound > hidden.lowerBound } ?? false, "\(what): cursor",
      sourceLocation: sourceLocation)
  }
}

/// What a terminal's line discipline does, as a value.
struct TerminalModes: Equatable {
  private let flags: [tcflag_t]
  private let characters: [UInt8]

  init(of descriptor: Int32) {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    flags = [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    characters = withUnsafeBytes(of: modes.c_cc) { Array($0) }
  }

  /// What a terminal that nobody has used has; nil if none can be made.
  static var fresh: TerminalModes? {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    return TerminalModes(of: terminal)
  }

  /// Whether lines are edited and echoed.
  var isCooked: Bool { flags[3] & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO) }
}
