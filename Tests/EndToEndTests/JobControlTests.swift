import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What a shell with job control does to the cockpit.
  @Suite("cockpit: a shell's job (promise P9)") struct JobControlTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// A shell with job control that runs a script, in which `$@` is the cockpit. The job's number is
    /// in a file.
    private func shell(_ script: String) throws -> (pty: PTYProcess, modes: TerminalModes) {
      let pty = try PTYProcess(
        "/bin/sh", ["-c", script, "sh", Tool.path, "--demo", "quiet"],
        environment: Tool.environment(home: home))
      return (pty, TerminalModes(of: pty.master))
    }

    private func job() throws -> pid_t {
      let text = try String(contentsOfFile: "\(home.path)/job", encoding: .utf8)
      return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private func isWhole(_ terminal: VirtualTerminal) -> Bool {
      terminal.line(0).contains("LIVE ") && terminal.line(terminal.rows - 1).contains("? help")
        && Borders.tears(of: terminal).isEmpty
    }

    /// A whole frame at the terminal's present size.
    private func awaitScreen(_ pty: PTYProcess) throws {
      guard pty.pump(timeout: Tool.patience, until: { isWhole(pty.terminal) }) else {
        throw PTYProcess.Failure.timeout(waitingFor: "a screen", screen: pty.terminal.text)
      }
    }

    private func expectUndone(_ pty: PTYProcess, _ modes: TerminalModes) {
      let text = String(decoding: pty.output, as: UTF8.self)
      for mode in ["1049", "2004", "1004", "1006", "1002", "2031"] {
        guard let on = text.range(of: "\u{1B}[?\(mode)h", options: .backwards) else { continue }
        let off = text.range(of: "\u{1B}[?\(mode)l", options: .backwards)
        #expect(off.map { $0.lowerBound > on.lowerBound } ?? false, "mode \(mode)")
      }
      #expect(TerminalModes(of: pty.master) == modes)
    }

    /// The job is started in the background, where taking the terminal stops it, and each line of
    /// the test's brings it to the foreground again.
    private static func cycles(_ count: Int) -> String {
      "set -m; \"$@\" & echo $! > \"$HOME/job\"; fg; i=0; "
        + "while [ $i -lt \(count) ]; do i=$((i+1)); echo \"stop $i\"; read line; fg; done; "
        + "echo ended $?"
    }

    /// Waits for a stop, gives the terminal another size, and lets the job go on.
    ///
    /// - Parameter isOwn: the cockpit stopped itself, and gave the terminal back before.
    private func goOn(
      _ pty: PTYProcess, stop index: Int, isOwn: Bool = false, at size: (rows: Int, columns: Int)
    ) throws {
      try pty.expectBytes("stop \(index)", timeout: Tool.patience)
      if isOwn { #expect(TerminalModes(of: pty.master).isCooked, "stop \(index)") }
      pty.resize(rows: size.rows, columns: size.columns)
      pty.send("\n")
      try awaitScreen(pty)
    }

    private func quit(_ pty: PTYProcess, _ modes: TerminalModes) throws {
      pty.send("q")
      try pty.expect("ended 0", timeout: Tool.patience)
      expectUndone(pty, modes)
    }

    private static let sizes = [(40, 120), (24, 80), (60, 200), (30, 100)]

    @Test("stopped by its key and by SIGTSTP, and on again at another size each time")
    func stops() throws {
      let (pty, modes) = try shell(Self.cycles(Self.sizes.count))
      try awaitScreen(pty)
      for (index, size) in Self.sizes.enumerated() {
        if index.isMultiple(of: 2) { pty.send("\u{1A}") } else { kill(try job(), SIGTSTP) }
        try goOn(pty, stop: index + 1, isOwn: true, at: size)
      }
      try quit(pty, modes)
    }

    @Test(
      "stopped as a background job is, by a signal from outside, and on again at another size",
      arguments: [SIGTTIN, SIGTTOU])
    func background(number: Int32) throws {
      let (pty, modes) = try shell(Self.cycles(2))
      try awaitScreen(pty)
      for index in 1...2 {
        kill(try job(), number)
        try goOn(pty, stop: index, at: Self.sizes[index == 1 ? 0 : 2])
      }
      try quit(pty, modes)
    }

    /// How many stops the cockpit makes of a burst is up to the system's scheduler: the shell brings
    /// the job back as often as it stops.
    @Test("a burst of stops and continues leaves a screen that can be used")
    func burst() throws {
      let (pty, modes) = try shell(
        "set -m; \"$@\" & echo $! > \"$HOME/job\"; fg; s=$?; "
          + "while [ $s -gt 128 ]; do echo 'stop again'; read line; fg; s=$?; done; echo ended $s")
      try awaitScreen(pty)
      let job = try job()
      for number in [SIGTSTP, SIGCONT, SIGTSTP, SIGCONT, SIGTTIN, SIGCONT, SIGWINCH, SIGTSTP] {
        kill(job, number)
      }
      try pty.expectBytes("stop again", timeout: Tool.patience)
      pty.resize(rows: 40, columns: 120)
      var stops = 0
      var isAsked = false
      let isOver = pty.pump(timeout: Tool.patience) {
        if pty.terminal.text.contains("ended 0") { return true }
        let seen = String(decoding: pty.output, as: UTF8.self).ranges(of: "stop again").count
        if seen > stops {
          (stops, isAsked) = (seen, false)
          pty.send("\n")
        } else if !isAsked, isWhole(pty.terminal) {
          isAsked = true
          pty.send("q")
        }
        return false
      }
      #expect(isOver, "\(pty.terminal.text)")
      expectUndone(pty, modes)
    }

    @Test(
      "what no handler can undo, a stack overflow in another thread, reset-terminal repairs",
      .enabled(
        if: TerminalLifeTests.canInject, "LD_PRELOAD and the library FaultInjection are needed"))
    func overflow() throws {
      let library = URL(filePath: Tool.path).deletingLastPathComponent()
        .appending(path: "libFaultInjection.so").path(percentEncoded: false)
      let (pty, _) = try shell(
        "set -m; LD_PRELOAD='\(library)' FAULT=thread-overflow \"$@\" & echo $! > \"$HOME/job\"; fg; "
          + "echo died $?; \"$1\" reset-terminal; echo repaired $?")
      try awaitScreen(pty)
      kill(try job(), SIGURG)
      try pty.expectBytes("died 139", timeout: Tool.patience)
      try pty.expectBytes("repaired 0", timeout: Tool.patience)
      #expect(TerminalModes(of: pty.master).isCooked)
      let text = String(decoding: pty.output, as: UTF8.self)
      for mode in ["1049", "2004", "1004", "1006", "1002"] {
        let on = text.range(of: "\u{1B}[?\(mode)h", options: .backwards)
        let off = text.range(of: "\u{1B}[?\(mode)l", options: .backwards)
        #expect(
          on.map { on in off.map { $0.lowerBound > on.lowerBound } ?? false } ?? true,
          "mode \(mode)")
      }
    }
  }
}
