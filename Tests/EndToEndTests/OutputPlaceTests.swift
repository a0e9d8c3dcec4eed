import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Names of files that are none: devices, pipes, a shell's substitutions, standard output.
  @Suite("what a verb writes to and reads from by name") struct OutputPlaceTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func bash(_ line: String, _ environment: [String: String] = [:]) throws -> PipedProcess
    {
      let process = try PipedProcess(
        "/bin/bash", ["-c", "cd \"$HOME\"; clanky() { '\(Tool.path)' \"$@\"; }; \(line)"],
        environment: Tool.environment(home: home, environment))
      process.wait()
      return process
    }

    @Test("F14: -o - is standard output, and so is the system's name for it")
    func standardOutput() throws {
      let plain = try bash("clanky facts export --demo")
      #expect(plain.status == .exited(0), "\(plain.errorText)")
      #expect(plain.lines.count > 5)
      for name in ["-", "/dev/stdout"] {
        let named = try bash("clanky facts export --demo -o \(name)")
        #expect(named.status == .exited(0), "\(name): \(named.errorText)")
        #expect(named.lines.count == plain.lines.count, "\(name)")
        #expect(!named.errorText.contains("facts are in"), "\(name): \(named.errorText)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(home.path)/-"))
    }

    @Test(
      "F14: devices and pipes are refused with a next step that can be followed",
      arguments: [("/dev/null", "a device"), (">(cat >&2)", "a pipe"), ("fifo", "a pipe")])
    func devices(place: String, kind: String) throws {
      let process = try bash("mkfifo fifo; clanky facts export --demo -o \(place)")
      #expect(process.status == .exited(1), "\(process.errorText)")
      #expect(
        process.errorText.contains(
          "is \(kind) and no file; leave --output out, and redirect standard output to it"),
        "\(process.errorText)")
      #expect(!process.errorText.contains("move it away"))
    }

    @Test("F14: a link and a folder are told apart from these")
    func places() throws {
      let link = try bash("touch file; ln -s file link; clanky facts export --demo -o link")
      #expect(link.errorText.contains("name the file that it leads to"), "\(link.errorText)")
      let folder = try bash("mkdir folder; clanky facts export --demo -o folder")
      #expect(folder.errorText.contains("is a folder; name a file in it"), "\(folder.errorText)")
    }

    @Test("F14: EXPORT ROWS knows that standard output is the screen")
    func rows() throws {
      let cockpit = try Cockpit(["--demo"], home: home, rows: 40, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("5", see: "EXPORT ROWS")
      try cockpit.click(on: "EXPORT ROWS")
      cockpit.type("\r")
      try cockpit.see("the field") { $0.contains("jsonl") || $0.contains("file") }
      cockpit.type("\u{15}-\r")
      try cockpit.see("is standard output, which is the screen here; name a file")
      #expect(!FileManager.default.fileExists(atPath: "-"))
      cockpit.pty.signal(SIGTERM)
      cockpit.expectEnd(.exited(143))
    }

    @Test(
      "W10: a token file that is a pipe names the ways in which a command gives the token",
      arguments: ["<(echo tok-4711-pipe)", "fifo", "/dev/null"])
    func tokenPipe(place: String) throws {
      let process = try bash(
        "mkfifo fifo; clanky status --url http://127.0.0.1:9 --token-file \(place)")
      #expect(process.status == .exited(2), "\(process.errorText)")
      for word in ["CLANKY_TOKEN=\"$(COMMAND)\"", "token_command = \"COMMAND\""] {
        #expect(process.errorText.contains(word), "\(process.errorText)")
      }
      #expect(!process.errorText.contains("name the file it points to"))
    }

    @Test("W10: a link to a file still is one that names its file")
    func tokenLink() throws {
      let process = try bash(
        "echo tok > t; chmod 600 t; ln -s t l; clanky status --url http://127.0.0.1:9 --token-file l"
      )
      #expect(process.status == .exited(2))
      #expect(process.errorText.contains("name the file it points to"), "\(process.errorText)")
    }

    @Test(
      "W06: where nothing can be locked doctor fails, and an edit says what to do",
      .enabled(
        if: TerminalLifeTests.canInject, "LD_PRELOAD and the library FaultInjection are needed"),
      arguments: [EINVAL, ENOLCK])
    func locks(fault: Int32) throws {
      let broken = ["LD_PRELOAD": TerminalLifeTests.injector, "LOCK_FAULT": "\(fault)"]
      let words = "set XDG_STATE_HOME to a folder on a local disk"
      for isThere in [false, true] {
        let doctor = try bash("clanky doctor --demo", broken)
        let line = doctor.lines.first { $0.contains(" state ") }.map(String.init) ?? doctor.text
        #expect(line.contains("fail"), "\(doctor.text)")
        #expect(doctor.text.contains(words), "\(doctor.text)")
        #expect(doctor.status == .exited(1), "\(doctor.text)")
        let state = "\(home.path)/.local/state/clanky-cockpit"
        if !isThere { #expect(!FileManager.default.fileExists(atPath: state)) }
        let edit = try bash("clanky facts edit 3 --confidence 0.5 --demo", broken)
        #expect(edit.status == .exited(1), "\(edit.errorText)")
        #expect(edit.errorText.contains(words), "\(edit.errorText)")
        #expect(!edit.errorText.contains("check the disk"), "\(edit.errorText)")
        let left = try FileManager.default.subpathsOfDirectory(atPath: home.path)
        #expect(!left.contains { $0.contains("trial") }, "\(left)")
      }
      let whole = try bash("clanky doctor --demo")
      #expect(whole.lines.contains { $0.contains(" state ") && $0.contains("ok") }, "\(whole.text)")
    }
  }
}
