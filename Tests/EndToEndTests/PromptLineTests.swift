import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `:` and the palette of the real program, and verbs that run below it.
  @Suite("command line") struct PromptLineTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test("lines act on the screen, run verbs, and say what was probably meant")
    func lines() throws {
      let demo = try DemoBackend(home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)

      // A verb without a place on the screen runs as in a shell, against the same backend.
      cockpit.type(":facts list --limit 2 --json\r")
      try cockpit.see("the output of the verb") {
        $0.contains(":facts list --limit 2 --json  done") && $0.contains("\"fact\":")
      }
      // It has the token, and nothing on the screen shows it.
      #expect(!String(decoding: cockpit.pty.output, as: UTF8.self).contains(demo.token))
      cockpit.type("q")
      try cockpit.see("LIVE FEED")

      cockpit.type(":filter kind:llm_*\r")
      try cockpit.see("only these rows") { $0.contains("FILTER ") && $0.contains("kind:llm_*") }

      try cockpit.type(":fackts\r", see: "did you mean facts?")
      cockpit.type("\u{3}")

      cockpit.type(":facts search sourdough\r")
      try cockpit.see("a search in MEMORY") {
        $0.contains("[4 MEMORY]") && $0.contains("s> sourdough") && $0.contains("hit")
      }

      // The palette finds a command by a part of its name.
      try cockpit.type("\u{10}", see: "COMMANDS")
      cockpit.type("tab-vo\r")
      try cockpit.see("[2 VOICE]")

      // A verb that fails says so, and its words are there to be read.
      cockpit.type(":facts show 999999\r")
      try cockpit.see("not among the facts")
      try cockpit.type(":facts show 999999 --json\r", see: "exit 1")
      // A verb that still runs does not keep the cockpit from ending.
      cockpit.type("q:tail --once --stream voice --json\r")
      try cockpit.see("a verb that runs") { $0.contains("RUNNING") }
      cockpit.pty.signal(SIGTERM)
      cockpit.expectEnd(.exited(143))
    }

    #if os(Linux)
      /// Sockets that the program has open.
      private func sockets(_ cockpit: Cockpit) -> Int {
        let folder = "/proc/\(cockpit.pty.processID)/fd"
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        return names.count {
          (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasPrefix("socket:")
            ?? false
        }
      }

      /// Processes that the program has started and not seen end.
      private func children(_ cockpit: Cockpit) -> String {
        let process = cockpit.pty.processID
        let path = "/proc/\(process)/task/\(process)/children"
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      }

      @Test("a verb runs in the program, and Escape leaves nothing of it")
      func escape() throws {
        let demo = try DemoBackend(home: home)
        let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
        let before = sockets(cockpit)
        cockpit.type(":tail --once --stream voice --json\r")
        try cockpit.see("a stream of its own") {
          $0.contains("RUNNING") && sockets(cockpit) > before
        }
        #expect(children(cockpit).isEmpty)
        // The cockpit's own first requests may have opened connections since `before`; they stay open.
        let during = sockets(cockpit)
        cockpit.type("\u{1B}")
        try cockpit.see("it is closed") { !$0.contains("RUNNING") && sockets(cockpit) < during }
        try cockpit.see("the cockpit goes on") { _ in cockpit.isLive }
        cockpit.type("q")
        cockpit.expectEnd(.exited(0))
      }

      @Test(
        "keys are answered while a verb waits for another program, which ends with it",
        arguments: ["keys lint", "doctor"])
      func keysBesideVerb(line: String) throws {
        let pidFile = "\(home.path)/pid"
        _ = try home.file(
          "tmux", "#!/bin/sh\necho $$ > \(pidFile)\nexec sleep 60\n", mode: 0o755)
        let cockpit = try Cockpit(
          ["--demo", "quiet"], home: home, rows: 40, columns: 120,
          environment: ["TMUX": "x", "PATH": "\(home.path):/usr/bin:/bin"])
        try cockpit.see("live") { _ in cockpit.isLive }
        cockpit.type(":\(line)\r")
        var process: Int32?
        _ = cockpit.pty.pump {
          let text = try? String(contentsOfFile: pidFile, encoding: .utf8)
          process = text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
          return process != nil
        }
        let tmux = try #require(process)
        // `tmux` is given 2 s by the one verb, and 500 ms by the other.
        let start = ContinuousClock.now
        cockpit.type("\u{3}")
        try cockpit.see("the answer to the key") { $0.contains("cancelled") }
        #expect(line == "doctor" || ContinuousClock.now - start < .milliseconds(1500))
        _ = cockpit.pty.pump { kill(tmux, 0) != 0 }
        #expect(kill(tmux, 0) != 0)
        cockpit.type("qq")
        cockpit.expectEnd(.exited(0))
      }

      @Test("keys are answered while a verb reads a day of actions")
      func keysBesideActions() throws {
        let demo = try DemoBackend(["--seed", "1", "--flood", "2000"], home: home)
        let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
        cockpit.type(":actions --since 1d --filter 'words that no action has' --json\r")
        try cockpit.see("RUNNING")
        let start = ContinuousClock.now
        cockpit.type("\u{3}")
        try cockpit.see("the answer to the key") {
          $0.contains("cancelled") || $0.contains("exit 1")
        }
        #expect(ContinuousClock.now - start < .milliseconds(1500))
        cockpit.type("qq")
        cockpit.expectEnd(.exited(0))
      }
    #endif
  }
}
