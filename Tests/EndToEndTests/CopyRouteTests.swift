import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Every way to the clipboard, on a terminal, with the real program.
  @Suite("Copying") struct CopyRouteTests {
    let home: TemporaryFolder
    private static let token = "copy-token-4711"

    init() throws { home = try TemporaryFolder() }

    /// Words that must not act on any terminal, and a quote for the shell.
    private static let row = RowServer.stored(
      7, "sent_reply", content: #"it's \u001b[31m \ud83d\ude00 \"here\" https://example.org/x"#)

    private func cockpit(_ server: RowServer, _ environment: [String: String] = [:]) throws
      -> Cockpit
    {
      let cockpit = try Cockpit(
        ["--url", server.url], home: home, token: Self.token, rows: 30, columns: 120,
        environment: environment)
      try cockpit.see("the row") { $0.contains("SENT_REPLY") && cockpit.isLive }
      return cockpit
    }

    /// The text of the last OSC 52 that was written.
    private func oscText(_ cockpit: Cockpit) -> String? {
      let output = String(decoding: cockpit.pty.output, as: UTF8.self)
      guard let match = output.matches(of: /\e\]52;c;([A-Za-z0-9+\/=]*)\e\\/).last else {
        return nil
      }
      return Data(base64Encoded: String(match.1)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A program of the user's in `$HOME/bin`.
    private func install(_ name: String, _ script: String) throws {
      let folder = "\(home.path)/bin"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      _ = try home.file("bin/\(name)", "#!/bin/sh\n\(script)\n", mode: 0o700)
    }

    @Test("each kind goes to the terminal, exactly; the token is in none of them")
    func kinds() throws {
      let server = try RowServer(stored: [Self.row])
      defer { server.stop() }
      let cockpit = try cockpit(server)
      cockpit.type("y")
      try cockpit.see("Discord link")
      cockpit.type("j")
      try cockpit.see("copied JSON, \(Self.row.utf8.count) B, through the terminal (OSC 52)")
      #expect(oscText(cockpit) == Self.row)

      let expected: [(key: String, what: String, text: String?)] = [
        ("i", "id", "7"), ("q", "filter", "id:7"),
        (
          "u", "Discord link",
          "https://discord.com/channels/500000000000000001/600000000000000001/800000000000000001"
        ),
        ("l", "command", "clanky-cockpit actions --filter id:7 --url \(server.url)"),
        ("c", "curl", nil), ("y", "text", nil),
      ]
      for (key, what, text) in expected {
        try cockpit.type("y\(key)", see: "copied \(what), ")
        if let text { #expect(oscText(cockpit).map { $0.replacing("'", with: "") } == text) }
        if key == "c" { #expect(oscText(cockpit)?.contains("$CLANKY_TOKEN") == true) }
        if key == "y" { #expect(oscText(cockpit)?.contains("it's \\x1b[31m 😀") == true) }
        #expect(oscText(cockpit)?.contains(Self.token) == false)
      }
      // The link of the text, shown whole before it is copied.
      try cockpit.type("o", see: "leads to discord.com")
      try cockpit.type("j", see: "leads to example.org")
      try cockpit.type("\r", see: "copied link to example.org, 21 B")
      #expect(oscText(cockpit) == "https://example.org/x")
      let output = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(!output.contains("\u{1B}[31m \u{1F600}") && !output.contains(Self.token))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a tool with a display gets the text, and no token; when it fails the terminal does")
    func tools() throws {
      let server = try RowServer(stored: [Self.row])
      defer { server.stop() }
      let here = ["PATH": "\(home.path)/bin:/usr/bin:/bin", "DISPLAY": ":9"]
      try install("xclip", #"cat > "$HOME/clip"; env > "$HOME/env"; echo "$@" > "$HOME/args""#)
      let cockpit = try cockpit(server, here)
      try cockpit.type("Y", see: "copied JSON, \(Self.row.utf8.count) B, with xclip")
      #expect(try String(contentsOfFile: "\(home.path)/clip", encoding: .utf8) == Self.row)
      #expect(
        try String(contentsOfFile: "\(home.path)/args", encoding: .utf8)
          == "-selection clipboard -in\n")
      #expect(
        try !String(contentsOfFile: "\(home.path)/env", encoding: .utf8).contains(Self.token))
      #expect(oscText(cockpit) == nil)

      try install("xclip", "exit 3")
      try cockpit.type("Y", see: "through the terminal (OSC 52); xclip failed with status 3")
      #expect(oscText(cockpit) == Self.row)
      try install("xclip", "exec sleep 60")
      try cockpit.type("Y", see: "xclip did not end within 2 s")
      try install("wl-copy", #"cat > "$HOME/wayland""#)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))

      let wayland = try self.cockpit(server, here.merging(["WAYLAND_DISPLAY": "w"]) { $1 })
      try wayland.type("Y", see: "with wl-copy")
      #expect(try String(contentsOfFile: "\(home.path)/wayland", encoding: .utf8) == Self.row)
      wayland.type("q")
      wayland.expectEnd(.exited(0))

      // Over SSH the clipboard is on the other side, whatever displays are forwarded.
      let remote = try self.cockpit(server, here.merging(["SSH_TTY": "/dev/pts/9"]) { $1 })
      try remote.type("Y", see: "through the terminal (OSC 52)")
      #expect(oscText(remote) == Self.row)
      remote.type("q")
      remote.expectEnd(.exited(0))
    }

    #if os(Linux)
      @Test("F03: a tool that leaves a process to serve the clipboard has ended when it ends")
      func serving() throws {
        let server = try RowServer(stored: [Self.row])
        defer { server.stop() }
        let here = ["PATH": "\(home.path)/bin:/usr/bin:/bin", "DISPLAY": ":9"]
        // As xclip and xsel do: all of the text is read, and a child stays with what it has inherited.
        try install("xclip", #"cat > "$HOME/clip"; sleep 60 & echo $! > "$HOME/served""#)
        let cockpit = try cockpit(server, here)
        let start = ContinuousClock.now
        try cockpit.type("Y", see: "copied JSON, \(Self.row.utf8.count) B, with xclip")
        #expect(ContinuousClock.now - start < .seconds(2))
        #expect(try String(contentsOfFile: "\(home.path)/clip", encoding: .utf8) == Self.row)
        let words = try String(contentsOfFile: "\(home.path)/served", encoding: .utf8)
        let number = try #require(pid_t(words.trimmingCharacters(in: .newlines)))
        defer { kill(number, SIGKILL) }
        // The shell's own descriptors are gone once it has become the sleep.
        #expect(
          cockpit.pty.pump(timeout: Tool.patience) {
            (try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)) == "sleep\n"
          })
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/fd")
        #expect(open.sorted() == ["0", "1", "2"])
        // After the two seconds that a tool may take, and after the end of the program.
        cockpit.pty.pump(timeout: .milliseconds(2200)) { false }
        #expect(!cockpit.screen.contains("did not end"))
        #expect(oscText(cockpit) == nil)
        cockpit.type("q")
        cockpit.expectEnd(.exited(0))
        #expect(kill(number, 0) == 0, "it still serves")
      }
    #endif

    @Test("what is too long for a terminal is written to a private file, and said so")
    func tooLong() throws {
      let words = String(repeating: "0123456789", count: 8000)
      let row = RowServer.stored(8, "sent_reply", content: words)
      let server = try RowServer(stored: [row])
      defer { server.stop() }
      let cockpit = try cockpit(server)
      try cockpit.type("Y", see: "more than terminals take")
      #expect(oscText(cockpit) == nil)
      let path = "\(home.path)/.local/state/clanky-cockpit/copied.txt"
      #expect(try String(contentsOfFile: path, encoding: .utf8) == row)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test(
      "in tmux the text is in tmux's own buffer",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")))
    func tmux() throws {
      let server = try RowServer(stored: [Self.row])
      defer { server.stop() }
      let tmux = try Tmux(home: home, token: Self.token, [Tool.path, "--url", server.url])
      defer { tmux.stop() }
      try tmux.wait("the row") { $0.contains("SENT_REPLY") && $0.contains("LIVE") }
      try tmux.run(["send-keys", "y"])
      try tmux.wait("the menu") { $0.contains("Discord link") }
      try tmux.run(["send-keys", "j"])
      try tmux.wait("the line") { $0.contains("through tmux to the terminal (OSC 52)") }
      #expect(try tmux.run(["save-buffer", "-"]) == Self.row)
      // The plain screen is tmux's own, with its history.
      try tmux.run(["send-keys", ":plain", "Enter"])
      try tmux.wait("plain lines") {
        $0.contains("any key goes back") && $0.contains("sent_reply") && !$0.contains("LIVE FEED")
      }
      try tmux.run(["send-keys", "x"])
      try tmux.wait("the cockpit") { $0.contains("LIVE FEED") }
    }
  }
}
