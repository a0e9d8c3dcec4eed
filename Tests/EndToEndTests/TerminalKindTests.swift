import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Any value of TERM and any locale: a screen that can be used, or a sentence that says what to do.
  @Suite("terminals and locales (promise P2)") struct TerminalKindTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    static let terminals = [
      "xterm-256color", "xterm", "tmux-256color", "screen", "screen-256color", "linux", "vt100",
      "vt220", "rxvt-unicode-256color", "alacritty", "xterm-kitty", "foot", "dumb",
      "no-such-terminal",
      "",
    ]

    @Test("a screen or a sentence, and the terminal as it was (promise P9)", arguments: terminals)
    func terminal(name: String) throws {
      let cockpit = try Cockpit(
        ["--demo", "quiet"], home: home, rows: 30, columns: 100, term: name)
      let bytes = { String(decoding: cockpit.pty.output, as: UTF8.self) }
      cockpit.pty.pump(timeout: Tool.patience) {
        bytes().contains("LIVE") || bytes().contains("TERM")
          || bytes().contains("actions are known")
      }
      if bytes().contains("TERM") {
        // Nothing of ours has reached a terminal that is not known.
        cockpit.expectEnd(.exited(2), what: name)
        #expect(!bytes().contains("\u{1B}"), "\(name)")
        #expect(bytes().contains("xterm-256color"), "\(name) says: \(bytes())")
        #expect(bytes().contains("--linear"), "W04: \(name) says: \(bytes())")
        #expect(cockpit.pty.output.filter { $0 == 0x0A }.count == 1, "\(name) says: \(bytes())")
        return
      }
      cockpit.type(name == "dumb" ? "q\r" : "q")
      cockpit.expectEnd(.exited(0), what: name)
      if name == "dumb" { #expect(!bytes().contains("\u{1B}")) }
    }

    @Test("W04: --linear needs no terminfo, and doctor calls what the screen refuses a failure")
    func unknown() throws {
      let linear = try Cockpit(
        ["--demo", "quiet", "--linear"], home: home, term: "no-such-terminal")
      try linear.see("actions are known")
      linear.type("q\r")
      linear.expectEnd(.exited(0))
      let doctor = try PipedProcess(
        Tool.path, ["doctor", "--demo"],
        environment: Tool.environment(home: home, term: "no-such-terminal"))
      #expect(doctor.pump { doctor.text.contains("no terminfo entry") })
      let line = doctor.text.split(separator: "\n").first { $0.contains("no terminfo entry") } ?? ""
      #expect(line.contains("fail"), "\(line)")
      #expect(doctor.pump { doctor.text.contains("ncurses-term") })
    }

    static let locales: [([String: String], isASCII: Bool)] = [
      (["LC_ALL": "C"], false), (["LC_ALL": "POSIX"], false), (["LC_ALL": "C.UTF-8"], false),
      (["LC_ALL": "xx_XX.UTF-8"], false), (["LC_ALL": "de_DE.ISO-8859-1"], true),
      (["LC_ALL": "ja_JP.eucJP"], true), (["LC_ALL": "C", "LANG": "de_DE.ISO-8859-1"], false),
      (["LC_CTYPE": "de_DE.ISO-8859-15@euro", "LANG": "C.UTF-8"], true),
    ]

    @Test("UTF-8 goes to no terminal whose locale names another encoding", arguments: locales)
    func locale(variables: [String: String], isASCII: Bool) throws {
      let cockpit = try Cockpit(
        ["--demo", "hostile"], home: home, rows: 30, columns: 100,
        environment: variables.merging(["PAGER": "cat"]) { $1 })
      try cockpit.see("live") { _ in cockpit.isLive }
      // Some of the hostile rows are there from the start.
      // Between time and kind stands a blank, or the bracket of the selected answer.
      try cockpit.see("rows") { $0.firstMatch(of: /\d\d:\d\d:\d\d\W{1,3}[A-Z]{3}/) != nil }
      cockpit.type(":plain\r")
      try cockpit.see("any key goes back")
      cockpit.type("x")
      try cockpit.see("live") { _ in cockpit.isLive }
      // A pager gets no more than the screen.
      cockpit.type("3")
      try cockpit.see("MODEL")
      cockpit.type("o")
      try cockpit.see("any key goes back")
      cockpit.type("x")
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0), what: "\(variables)")
      #expect(cockpit.pty.output.allSatisfy { $0 < 0x80 } == isASCII, "\(variables)")
      let isWhole = String(validating: cockpit.pty.output, as: UTF8.self) != nil
      #expect(isWhole, "\(variables): no torn characters")
    }

    @Test("tail on a terminal of another encoding writes ASCII, in a pipe UTF-8")
    func tailOfAnotherEncoding() throws {
      let arguments = ["tail", "--demo", "hostile", "--plain"]
      let environment = Tool.environment(home: home, ["LC_ALL": "de_DE.ISO-8859-1"])
      let pty = try PTYProcess(Tool.path, arguments, environment: environment, rows: 50)
      #expect(pty.pump(timeout: Tool.patience) { pty.output.filter { $0 == 0x0A }.count > 60 })
      pty.signal(SIGTERM)
      _ = pty.wait(timeout: Tool.patience)
      #expect(pty.output.allSatisfy { $0 < 0x80 })
      let piped = try PipedProcess(Tool.path, arguments, environment: environment)
      #expect(piped.pump { piped.output.contains { $0 >= 0x80 } })
    }

    @Test(
      "NO_COLOR, CLICOLOR and --no-color: not one colour",
      arguments: [["NO_COLOR": "1"], ["CLICOLOR": "0"], [:]] as [[String: String]])
    func noColor(variables: [String: String]) throws {
      let cockpit = try Cockpit(
        ["--demo", "quiet"] + (variables.isEmpty ? ["--no-color"] : []), home: home,
        environment: variables.merging(["COLORTERM": "truecolor", "CI": "true"]) { $1 })
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(text.firstMatch(of: /\u{1B}\[[0-9;]*[34]8[;:]/) == nil, "\(variables)")
      #expect(text.firstMatch(of: /\u{1B}\[(?:\d+;)*[34][0-7]m/) == nil, "\(variables)")
    }
  }
}
