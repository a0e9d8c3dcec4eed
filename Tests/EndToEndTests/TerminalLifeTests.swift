import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Whatever ends or stops the cockpit, the terminal is as it was before.
  @Suite("cockpit: the terminal is given back (promise P9)") struct TerminalLifeTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func cockpit(
      _ arguments: [String] = ["--demo", "quiet"], environment: [String: String] = [:]
    ) throws -> Cockpit {
      let cockpit = try Cockpit(arguments, home: home, environment: environment)
      try cockpit.see("live") { _ in cockpit.isLive }
      return cockpit
    }

    /// Ends within the time that is promised, and nothing is left of it on the terminal.
    private func expectEndInTime(
      _ cockpit: Cockpit, _ status: PTYProcess.Status, _ what: String,
      since start: ContinuousClock.Instant
    ) {
      cockpit.expectEnd(status, what: what)
      #expect(ContinuousClock.now - start < .seconds(2.5), "\(what)")
    }

    // MARK: Signals

    static let deadly: [Int32] =
      [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGUSR1, SIGUSR2, SIGXCPU]
      + [SIGVTALRM, SIGPROF]

    @Test("every signal that ends a process", arguments: deadly)
    func deadlySignals(number: Int32) throws {
      let cockpit = try cockpit()
      let start = ContinuousClock.now
      cockpit.pty.signal(number)
      expectEndInTime(cockpit, .signaled(number), "signal \(number)", since: start)
    }

    @Test("a timer's signal from outside")
    func alarm() throws {
      let cockpit = try cockpit()
      let start = ContinuousClock.now
      cockpit.pty.signal(SIGALRM)
      expectEndInTime(cockpit, .exited(128 + SIGALRM), "SIGALRM", since: start)
    }

    @Test("signals that mean nothing change nothing, however many come")
    func harmlessSignals() throws {
      let cockpit = try Cockpit(["--demo", "quiet"], home: home, rows: 40, columns: 100)
      try cockpit.see("live") { _ in cockpit.isLive }
      for _ in 0..<50 {
        for number in [SIGPIPE, SIGXFSZ, SIGURG, SIGCHLD, SIGWINCH, SIGCONT] {
          cockpit.pty.signal(number)
        }
      }
      try cockpit.type("?", see: "find text, keeping")
      cockpit.type("\u{1B}")
      try cockpit.see("no help") { !$0.contains("find text, keeping") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    // MARK: Crashes from within

    /// Beside the program; loaded into it, it does what `FAULT` says when SIGURG comes.
    static var injector: String {
      URL(filePath: Tool.path).deletingLastPathComponent()
        .appending(path: "libFaultInjection.so").path(percentEncoded: false)
    }

    static let canInject: Bool = {
      #if os(Linux)
        FileManager.default.fileExists(atPath: injector)
      #else
        false
      #endif
    }()

    @Test(
      "a crash inside of it: a Swift trap, a stack overflow, a wild pointer, in another thread too",
      .enabled(if: canInject, "LD_PRELOAD and the library FaultInjection are needed"),
      arguments: [
        ("trap", [SIGILL, SIGTRAP]), ("overflow", [SIGSEGV]), ("null", [SIGSEGV]),
        ("abort", [SIGABRT]), ("breakpoint", [SIGTRAP]), ("thread-trap", [SIGILL, SIGTRAP]),
        ("thread-null", [SIGSEGV]),
      ] as [(String, [Int32])])
    func crash(fault: String, signals: [Int32]) throws {
      let cockpit = try cockpit(environment: ["LD_PRELOAD": Self.injector, "FAULT": fault])
      let start = ContinuousClock.now
      cockpit.pty.signal(SIGURG)
      guard case .signaled(let number)? = cockpit.pty.wait(timeout: Tool.patience) else {
        Issue.record("\(fault) did not end it")
        return
      }
      #expect(signals.contains(number), "\(fault)")
      #expect(ContinuousClock.now - start < .seconds(2.5), "\(fault)")
      cockpit.expectRestored(fault)
      // Where more about it is, in words, on the ordinary screen.
      #expect(
        String(decoding: cockpit.pty.output, as: UTF8.self).contains("ended unexpectedly"),
        "\(fault)")
    }

    @Test(
      "Ctrl-\\ ends it and gives the terminal back, stuck or not",
      .enabled(if: canInject, "LD_PRELOAD and the library FaultInjection are needed"),
      arguments: [false, true])
    func emergency(isStuck: Bool) throws {
      let cockpit = try cockpit(environment: ["LD_PRELOAD": Self.injector, "FAULT": "hang"])
      if isStuck {
        cockpit.pty.signal(SIGURG)
        // A program that is stuck cannot tell: it answers no key.
        cockpit.type("?")
        #expect(
          !cockpit.pty.pump(timeout: .seconds(1)) { cockpit.screen.contains("find text, keeping") })
      }
      let start = ContinuousClock.now
      cockpit.type("\u{1C}")
      cockpit.expectEnd(.exited(128 + SIGQUIT))
      #expect(ContinuousClock.now - start < .seconds(2.5))
    }

    @Test("no core file, which would have the token in it (promise P6)")
    func core() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      // The shell says "(core dumped)" where the system kept one, wherever that went.
      let script =
        "cd \"$HOME\" || exit 9; ulimit -c unlimited || exit 8; "
        + "\"$0\" tail --plain --url \"$1\" & job=$!; read line; kill -SEGV $job; wait $job; "
        + "echo end $?"
      let shell = try PTYProcess(
        "/bin/sh", ["-c", script, Tool.path, demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      #expect(shell.pump(timeout: Tool.patience) { shell.output.count > 2000 })
      shell.send("\r")
      try shell.expect("end 139", timeout: Tool.patience)
      #expect(!shell.terminal.text.contains("core dumped"), "\(shell.terminal.text)")
      let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
      #expect(!names.contains { $0.hasPrefix("core") }, "\(names)")
    }

    // MARK: A shell's jobs

    /// A shell with job control that runs a script, in which `$@` is the cockpit.
    private func shell(_ script: String) throws -> (PTYProcess, TerminalModes) {
      let pty = try PTYProcess(
        "/bin/sh", ["-c", script, "sh", Tool.path, "--demo", "quiet"],
        environment: Tool.environment(home: home))
      return (pty, TerminalModes(of: pty.master))
    }

    /// Waits for the end of the job and tells its status. A shell that has not yet noticed that the
    /// job goes on gives the status of its stop instead.
    private static let wait =
      "code=147; while [ $code = 147 ]; do sleep 0.05; wait $job; code=$?; done; echo ended $code"

    /// The job that the script has written down.
    private func job() throws -> pid_t {
      let text = try String(contentsOfFile: "\(home.path)/job", encoding: .utf8)
      return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private func expectUndone(_ pty: PTYProcess, _ what: String) {
      let text = String(decoding: pty.output, as: UTF8.self)
      for mode in ["1049", "2004", "1004", "1006", "1002", "2031"] {
        guard let on = text.range(of: "\u{1B}[?\(mode)h", options: .backwards) else { continue }
        let off = text.range(of: "\u{1B}[?\(mode)l", options: .backwards)
        #expect(off.map { $0.lowerBound > on.lowerBound } ?? false, "\(what): mode \(mode)")
      }
    }

    private func awaitLive(_ pty: PTYProcess) throws {
      guard pty.pump(timeout: Tool.patience, until: { pty.terminal.line(0).contains("LIVE ") })
      else {
        throw PTYProcess.Failure.timeout(waitingFor: "LIVE", screen: pty.terminal.text)
      }
    }

    @Test("started in the background it waits; stopped and killed there it ends")
    func killedInBackground() throws {
      let (pty, modes) = try shell(
        "set -m; \"$@\" & job=$!; fg; kill -TERM $job; kill -CONT $job; \(Self.wait)")
      try awaitLive(pty)
      pty.send("\u{1A}")
      try pty.expect("ended 143", timeout: Tool.patience)
      expectUndone(pty, "killed in the background")
      #expect(TerminalModes(of: pty.master) == modes)
    }

    @Test("stopped from outside and killed in the background, it undoes what it did to the screen")
    func stoppedFromOutside() throws {
      let (pty, modes) = try shell(
        "set -m; \"$@\" & job=$!; echo $job > \"$HOME/job\"; fg; kill -TERM $job; kill -CONT $job; "
          + Self.wait)
      try awaitLive(pty)
      kill(try job(), SIGSTOP)
      try pty.expect("ended 143", timeout: Tool.patience)
      expectUndone(pty, "stopped from outside")
      #expect(TerminalModes(of: pty.master) == modes)
    }

    @Test("continued in the background it draws nothing and waits; in the foreground it goes on")
    func continuedInBackground() throws {
      let (pty, _) = try shell(
        "set -m; \"$@\" & job=$!; fg; kill -CONT $job; echo between; fg; echo ended $?")
      try awaitLive(pty)
      pty.send("\u{1A}")
      try pty.expectBytes("between", timeout: Tool.patience)
      try awaitLive(pty)
      pty.send("q")
      try pty.expect("ended 0", timeout: Tool.patience)
      expectUndone(pty, "continued")
    }

    @Test("a shell that dies, and a terminal that closes, end it, stopped or not")
    func shellDies() throws {
      for isStopped in [false, true] {
        let (pty, _) = try shell("set -m; \"$@\" & echo $! > \"$HOME/job\"; fg; read line")
        try awaitLive(pty)
        if isStopped {
          pty.send("\u{1A}")
          try pty.expectBytes("\u{1B}[?1049l", timeout: Tool.patience)
        }
        let job = try job()
        // Only a process all of whose threads have stopped is woken by the kernel when its shell dies.
        let limit = ContinuousClock.now + Tool.patience
        while isStopped, !Self.hasStopped(job), ContinuousClock.now < limit { usleep(1_000) }
        let start = ContinuousClock.now
        pty.signal(SIGKILL)
        if isStopped { pty.closeMaster() }
        while Self.isAlive(job), ContinuousClock.now - start < Tool.patience { usleep(10_000) }
        #expect(ContinuousClock.now - start < .seconds(2.5), "stopped: \(isStopped)")
      }
    }

    private static func hasStopped(_ process: pid_t) -> Bool {
      let folder = "/proc/\(process)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return !threads.isEmpty && threads.allSatisfy { state("\(folder)/\($0)") == "T" }
    }

    private static func state(_ process: pid_t) -> Character? { state("/proc/\(process)") }

    /// `R`, `S`, `T`, `Z` …: what a process or thread does (proc(5)); nil if that cannot be known.
    private static func state(_ folder: String) -> Character? {
      guard let text = try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8),
        let name = text.lastIndex(of: ")")
      else { return nil }
      return text[name...].dropFirst().trimmingPrefix(" ").first
    }

    /// Whether a process runs; one that waits for its parent to notice its end does not.
    private static func isAlive(_ process: pid_t) -> Bool {
      guard kill(process, 0) == 0 else { return false }
      guard let state = state(process) else {
        return FileManager.default.fileExists(atPath: "/proc/self") == false
      }
      return state != "Z"
    }

    // MARK: Sizes

    @Test("a storm of sizes over every tab, with and without something open")
    func storm() throws {
      let cockpit = try Cockpit(["--demo", "voice"], home: home, rows: 40, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      let sizes = [
        (0, 0), (1, 1), (200, 1), (1, 500), (2, 2), (3, 300), (0, 80), (24, 80), (60, 200),
        (10, 10),
      ]
      for tab in 1...5 {
        for keys in ["\(tab)", "?", "\u{1B}", ":", "\u{1B}", "f", "\u{1B}", "\r"] {
          // A key does nothing on a screen that is too small.
          cockpit.pty.resize(rows: 24, columns: 80)
          cockpit.pty.pump(timeout: .milliseconds(200)) {
            cockpit.isLive && !cockpit.screen.contains("need 40x10")
          }
          cockpit.type(keys)
          for (rows, columns) in sizes {
            cockpit.pty.resize(rows: rows, columns: columns)
            cockpit.pty.pump(timeout: .milliseconds(2), until: { false })
          }
        }
      }
      cockpit.pty.resize(rows: 500, columns: 1000)
      cockpit.pty.pump(timeout: .milliseconds(50), until: { false })
      cockpit.pty.resize(rows: 40, columns: 120)
      try cockpit.see("a screen again") { _ in cockpit.isLive }
      // What a key has opened that came just before a smaller size.
      for _ in 0..<3 { cockpit.type("\u{7}") }
      cockpit.type("\u{F}")
      // Which keys were done depends on the size that each of them met: the tab may be any, with a
      // detail open or not. The row of hints has the help in all of them.
      try cockpit.see("a whole screen again") { _ in
        cockpit.isLive && cockpit.line(39).contains("? help")
      }
      cockpit.type("\u{3}\u{3}\u{3}\u{3}")
      cockpit.expectEnd(.exited(0))
    }
  }
}
