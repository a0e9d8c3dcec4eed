import Foundation
import TerminalCurses
import TerminalTestKit
import Testing

extension TerminalSuite {
  @Suite("leaving (promise P9)", .serialized) struct LeavingTests {
    /// What must have been undone, whatever happened.
    private func expectRestored(_ process: PTYProcess, _ what: String) {
      let text = String(decoding: process.output, as: UTF8.self)
      #expect(!process.isRaw, "\(what): line editing is back")
      for mode in ["1049", "2004", "1004", "1006", "1002", "2031"] {
        let on = text.range(of: "\u{1B}[?\(mode)h", options: .backwards)
        let off = text.range(of: "\u{1B}[?\(mode)l", options: .backwards)
        guard let on else { continue }
        #expect(off.map { $0.lowerBound > on.lowerBound } ?? false, "\(what): \(mode) is off")
      }
      let hidden = text.range(of: "\u{1B}[?25l", options: .backwards)
      let visible =
        [
          text.range(of: "\u{1B}[?25h", options: .backwards),
          text.range(of: "\u{1B}[?12l\u{1B}[?25h", options: .backwards),
        ]
        .compactMap { $0?.lowerBound }.max()
      if let hidden {
        #expect(visible.map { $0 > hidden.lowerBound } ?? false, "\(what): cursor is back")
      }
    }

    @Test("q, exit() and every crash give the terminal back")
    func endings() throws {
      let cases: [(key: String, status: PTYProcess.Status)] = [
        ("q", .exited(0)), ("x", .exited(7)), ("a", .signaled(SIGABRT)),
        ("s", .signaled(SIGSEGV)), ("o", .signaled(SIGSEGV)),
      ]
      for (key, status) in cases {
        let process = try Probe.start()
        #expect(process.isRaw)
        process.send(key)
        #expect(process.wait() == status, "key \(key)")
        expectRestored(process, "key \(key)")
      }
      for key in ["f", "i"] {
        let process = try Probe.start()
        process.send(key)
        guard case .signaled(let number)? = process.wait() else {
          Issue.record("key \(key) ended otherwise")
          continue
        }
        #expect([SIGILL, SIGTRAP, SIGABRT].contains(number))
        expectRestored(process, "key \(key)")
        #expect(String(decoding: process.output, as: UTF8.self).contains("the log has more"))
      }
    }

    @Test("signals from outside give the terminal back")
    func signals() throws {
      for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
        let process = try Probe.start()
        process.signal(number)
        #expect(process.wait(timeout: .seconds(2)) == .exited(128 + number))
        expectRestored(process, "signal \(number)")
      }
      for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] {
        let process = try Probe.start()
        process.signal(number)
        #expect(process.wait() == .signaled(number))
        expectRestored(process, "signal \(number)")
      }
    }

    @Test("a program that hangs after a signal is ended, with the terminal given back")
    func stubborn() throws {
      let process = try Probe.start(["stubborn"])
      process.signal(SIGTERM)
      #expect(process.wait(timeout: .seconds(4)) == .exited(143))
      expectRestored(process, "stubborn")
    }

    @Test("a hang-up ends it even when SIGHUP is ignored")
    func hangUp() throws {
      for ignores in [false, true] {
        let process = try Probe.start(ignoresHangUp: ignores)
        process.closeMaster()
        #expect(process.wait(timeout: .seconds(2)) == .exited(129))
      }
    }

    @Test("SIGTSTP and Ctrl-Z stop it with the terminal given back; SIGCONT repaints")
    func suspension() throws {
      // A shell with job control: without one nothing is stopped.
      let process = try PTYProcess(
        "/bin/sh",
        [
          "-c",
          "set -m; \"$1\" & echo job $!.; fg; s=$?; "
            + "while [ $s -gt 128 ]; do echo stopped; read line; fg; s=$?; done; echo ended $s",
          "sh", Probe.path,
        ], environment: Probe.environment())
      try process.expect("ready")
      let output = String(decoding: process.output, as: UTF8.self)
      let job = try #require(output.firstMatch(of: /job (\d+)\./).flatMap { pid_t($0.1) })
      for stop in [{ _ = kill(job, SIGTSTP) }, { process.send("\u{1A}") }] {
        let start = process.output.count
        stop()
        #expect(process.pump { process.output[start...].contains(Array("stopped".utf8)) })
        expectRestored(process, "stopped")
        let before = process.output.count
        process.send("\n")
        #expect(process.pump { process.output.count > before + 200 && process.isRaw })
        try process.expect("PROBE")
      }
      process.send("q")
      try process.expect("ended 0")
      expectRestored(process, "after all")
    }

    @Test("F01: where no shell waits neither Ctrl-Z nor SIGTSTP stops it, and it says so")
    func orphan() throws {
      // The leader of a session whose parent is in another: sshd, docker, a terminal's own command.
      let process = try Probe.start()
      for stop in [{ process.signal(SIGTSTP) }, { process.send("\u{1A}") }] {
        let before = process.output.count
        stop()
        #expect(
          process.pump {
            process.output.count > before && process.terminal.text.contains("no shell")
          })
        #expect(process.isRaw)
        process.send("c")  // clears nothing, and is answered
        try process.expect("key c")
      }
      #expect(!process.output.contains(Array("\u{1B}[?1049l".utf8)))
      // A stop that nobody can refuse: what it left is taken again.
      process.signal(SIGSTOP)
      #expect(process.wait(orStopped: true) == .stopped)
      let before = process.output.count
      process.signal(SIGCONT)
      #expect(process.pump { process.output.count > before + 200 })
      process.send("q")
      #expect(process.wait() == .exited(0))
      expectRestored(process, "after all")
    }

    @Test("F01: a script between makes no difference, with or without a shell that waits")
    func scripts() throws {
      // No job control: the script is in our group, and waits until we end.
      let alone = try PTYProcess(
        "/bin/sh", ["-c", "\"$1\"; echo ended $?", "sh", Probe.path],
        environment: Probe.environment())
      try alone.expect("ready")
      alone.send("\u{1A}")
      try alone.expect("no shell")
      alone.send("q")
      try alone.expect("ended 0")

      let inner = "\"$1\"; echo inner $?"
      let shell = try PTYProcess(
        "/bin/sh",
        [
          "-c", "set -m; sh -c '\(inner)' sh \"$1\" & echo job $!.; fg; echo stopped; exit 0", "sh",
          Probe.path,
        ], environment: Probe.environment())
      try shell.expect("ready")
      shell.send("\u{1A}")
      // The probe has stopped and the script between waits; the terminal is given back.
      try shell.expectBytes("\u{1B}[?1049l")
      // The modes come back after the last bytes, once answers that are on the way have been read.
      #expect(shell.pump { !shell.isRaw })
      #expect(!shell.terminal.text.contains("no shell"))
    }

    @Test("a terminal that reads nothing does not keep it from ending")
    func blockedTerminal() throws {
      let process = try Probe.start(["flood"], rows: 60, columns: 200)
      usleep(300_000)  // nobody reads: the terminal fills up
      let start = ContinuousClock.now
      process.signal(SIGTERM)
      var raw: Int32 = 0
      while waitpid(process.processID, &raw, WNOHANG) == 0,
        ContinuousClock.now - start < .seconds(5)
      { usleep(5000) }
      #expect(ContinuousClock.now - start < .seconds(1.5))
      #expect(raw >> 8 & 0xFF == 143)
      process.pump(timeout: .milliseconds(100), until: { false })
      #expect(!process.isRaw)
      #expect(process.output.contains(Array("\u{1B}[?1049l".utf8)))
    }

    @Test("standard error goes to the log while the screen is up")
    func standardError() throws {
      let log = FileManager.default.temporaryDirectory.appending(path: "probe-\(UUID()).log")
      defer { try? FileManager.default.removeItem(at: log) }
      let process = try Probe.start(environment: Probe.environment(["PROBE_LOG": log.path]))
      process.send("e")
      try process.expect("key e")
      process.send("q")
      #expect(process.wait() == .exited(0))
      #expect(!String(decoding: process.output, as: UTF8.self).contains("stray words"))
      #expect(try String(contentsOf: log, encoding: .utf8) == "stray words\n")
    }

    @Test("terminals that cannot do it are refused with a sentence")
    func refusals() throws {
      for (term, words) in [
        ("dumb", "tail command"), ("no-such-terminal", "TERM=xterm"), ("", "TERM is not set"),
      ] {
        let process = try PTYProcess(Probe.path, environment: Probe.environment(term: term))
        #expect(process.wait() == .exited(2))
        let text = String(decoding: process.output, as: UTF8.self)
        #expect(text.contains(words), "\(term): \(text)")
        #expect(!text.contains("\u{1B}"))
        #expect(!process.isRaw)
      }
      let pipe = Pipe()
      let child = Process()
      child.executableURL = URL(filePath: Probe.path)
      child.environment = Probe.environment()
      child.standardInput = FileHandle.nullDevice
      child.standardOutput = pipe
      child.standardError = pipe
      try child.run()
      let text = String(
        decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      child.waitUntilExit()
      #expect(child.terminationStatus == 2)
      #expect(text.contains("needs a terminal"))
      #expect(!text.contains("\u{1B}"))
    }
  }
}
