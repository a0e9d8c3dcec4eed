import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The texts of the hostile backend where the way to the eye is another one: in tmux, in linear
  /// mode, on terminals of a few columns.
  @Suite("hostile backend, other terminals (promises P1, P2)") struct HostileTerminalTests {
    let home: TemporaryFolder
    let demo: DemoBackend

    init() throws {
      home = try TemporaryFolder()
      demo = try DemoBackend(["--scenario", "hostile", "--rate", "20"], home: home)
    }

    /// The sequences that a text of a stranger may not begin, and the program's own title aside.
    private func expectHarmless(
      _ bytes: [UInt8], _ what: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let text = String(decoding: bytes, as: UTF8.self)
      let strings = text.matches(of: /\u{1B}[\]P_^X]([^\u{1B}\u{7}]*)/).map { String($0.1) }
      let strange = strings.filter { !$0.hasPrefix("2;clanky: ") && $0 != "11;?" }
      #expect(strange == [], "\(what)", sourceLocation: sourceLocation)
      let bad = text.unicodeScalars.filter {
        (0x7F...0x9F).contains($0.value) || $0 == "\u{7}" || (0x202A...0x202E).contains($0.value)
          || (0x2066...0x2069).contains($0.value) || (0x2028...0x2029).contains($0.value)
      }
      #expect(bad.isEmpty, "\(what): \(bad)", sourceLocation: sourceLocation)
    }

    // MARK: tmux

    @Test(
      "in tmux: borders stay straight, and neither titles, bells, buffers nor windows change",
      .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux"), "tmux is needed"))
    func tmux() throws {
      let tmux = try Tmux(home: home, token: demo.token, [Tool.path, "--url", demo.url])
      defer { tmux.stop() }
      try tmux.run(["set-option", "-g", "monitor-bell", "on"])
      try tmux.wait("rows") { $0.firstMatch(of: /ACT \d{2,}/) != nil }
      let windows = try tmux.run(["list-windows", "-F", "#{window_id}"])
      for keys in [
        ["C-f"], ["C-f"], ["Enter"], ["J"], ["Escape"], ["2"], ["3"], ["4"], ["5"], ["1"],
      ] {
        try tmux.run(["send-keys"] + keys)
        var tears: [String] = []
        do {
          try tmux.wait("straight borders after \(keys)") { screen in
            tears = Self.tears(of: screen)
            // A digit opens its tab; the others stay on the first one.
            let tab = keys[0].allSatisfy(\.isNumber) ? keys[0] : "1"
            guard screen.contains("[\(tab) "), tears.isEmpty else { return false }
            // The next key would make an Escape that was not taken yet an Alt.
            return switch keys[0] {
            case "J": screen.contains("raw JSON")
            case "Escape": !screen.contains("raw JSON")
            default: true
            }
          }
        } catch {
          Issue.record("\(keys): \(tears)\n\(error)")
        }
      }
      let title = try tmux.run(["display-message", "-p", "#{pane_title}"])
      #expect(
        title.firstMatch(of: /^clanky: [A-Z]+( voice)?( \$[\d.]+)?( !\d+)?\n$/) != nil, "\(title)")
      #expect(try tmux.run(["list-buffers"]) == "")
      #expect(
        try tmux.run(["display-message", "-p", "#{window_bell_flag} #{pane_in_mode}"]) == "0 0\n")
      #expect(try tmux.run(["list-windows", "-F", "#{window_id}"]) == windows)
    }

    /// The tears of what tmux says is on its screen.
    private static func tears(of screen: String) -> [String] {
      let terminal = VirtualTerminal(rows: 30, columns: 120)
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).prefix(30)
      terminal.feed(Array(lines.joined(separator: "\r\n").utf8))
      return Borders.tears(of: terminal)
    }

    // MARK: Linear mode

    @Test("in linear mode: sentences, and not one byte that acts on the terminal")
    func linear() throws {
      let terminal = try PTYProcess(
        Tool.path, ["--linear", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token), rows: 500, columns: 300)
      let lines = { terminal.output.count { $0 == 0x0A } }
      #expect(terminal.pump(timeout: Tool.patience) { lines() > 40 }, "\(terminal.terminal.text)")
      for line in ["s", "w", "facts list", "actions --since 1h", "a kind:sent_reply"] {
        let before = lines()
        terminal.send(line + "\n")
        #expect(terminal.pump(timeout: Tool.patience) { lines() > before + 1 }, "\(line)")
      }
      terminal.signal(SIGTERM)
      let end = terminal.wait(timeout: Tool.patience)
      // What a crash leaves stands last.
      let last = String(decoding: terminal.output.suffix(3000), as: UTF8.self)
      #expect(end == .exited(143), "\(last)")
      #expect(ForbiddenBytes.found(in: terminal.output.filter { $0 != 0x0D }).prefix(5) == [])
    }

    // MARK: Narrow terminals

    @Test("on a terminal of one column, and on every width from there to what the panels need")
    func narrow() throws {
      let cockpit = try Cockpit(
        ["--url", demo.url], home: home, token: demo.token, rows: 24, columns: 1)
      cockpit.pty.pump(timeout: Tool.patience) { !cockpit.pty.output.isEmpty }
      for columns in [1, 2, 3, 7, 19, 20, 21, 39, 40, 41, 60, 1] {
        let before = cockpit.pty.output.count
        cockpit.pty.resize(rows: columns == 1 ? 23 : 24, columns: columns)
        cockpit.pty.pump(timeout: Tool.patience) { cockpit.pty.output.count > before }
        for key in ["\r", "\u{6}", "2", "1"] where columns >= 20 {
          let before = cockpit.pty.output.count
          cockpit.type(key)
          cockpit.pty.pump(timeout: .seconds(2)) { cockpit.pty.output.count > before }
          let isStraight = cockpit.pty.pump(timeout: .seconds(4)) {
            Borders.tears(of: cockpit.pty.terminal).isEmpty
          }
          #expect(
            isStraight, "\(columns): \(Borders.tears(of: cockpit.pty.terminal))\n\(cockpit.screen)")
        }
      }
      expectHarmless(cockpit.pty.output, "narrow")
      // Not by a key: what is open on a row that came meanwhile would take it first.
      cockpit.pty.signal(SIGTERM)
      cockpit.expectEnd(.exited(143))
    }

    @Test(
      "verbs on a terminal of one column write text alone", arguments: ["tail --plain", "actions"])
    func verbs(verb: String) throws {
      let terminal = try PTYProcess(
        Tool.path, verb.split(separator: " ").map(String.init) + ["--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token), rows: 24, columns: 1)
      #expect(terminal.pump(timeout: Tool.patience) { terminal.output.count { $0 == 0x0A } > 60 })
      terminal.signal(SIGTERM)
      _ = terminal.wait(timeout: Tool.patience)
      // The signal may come within a character.
      let end = terminal.output.lastIndex(of: 0x0A) ?? 0
      let lines = terminal.output[..<end].filter { $0 != 0x0D }
      #expect(ForbiddenBytes.found(in: lines).prefix(5) == [])
    }
  }
}
