import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Keys, themes and layout of a configuration file, as a user meets them.
  @Suite("configuration") struct ConfigurationTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func quietDemo() throws -> DemoBackend {
      try DemoBackend(["--scenario", "quiet"], home: home)
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> (
      code: Int32?, output: String, errors: String
    ) {
      let process = try PipedProcess(
        Tool.path, arguments, environment: Tool.environment(home: home, environment))
      let status = process.wait()
      let code: Int32? = if case .exited(let code) = status { code } else { nil }
      return (
        code, String(decoding: process.output, as: UTF8.self),
        String(decoding: process.errors, as: UTF8.self)
      )
    }

    @Test("a remapped key works, the old one does not, and texts name the new one")
    func remapped() throws {
      let file = try home.file(
        "c.toml", "[keys]\nquit = \"Q\"\nfind = [\"x\", \"F7\"]\n[layout]\ntab = \"memory\"\n")
      let demo = try quietDemo()
      let cockpit = try Cockpit(
        ["--url", demo.url, "--token-file", demo.tokenFile, "--config", file], home: home, rows: 30)
      try cockpit.see("[4 MEMORY]")
      cockpit.type("1")
      try cockpit.see("x find")
      cockpit.type("/q")
      try cockpit.type("x", see: "Enter finds")
      try cockpit.type("q", see: "q")
      try cockpit.type("\u{1B}[18~\u{1B}", see: "x find")
      cockpit.type("Q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("keys that cannot be used are refused with file, line and both commands")
    func conflict() throws {
      let file = try home.file("c.toml", "theme = \"mono\"\n[keys]\nzoom = \"f\"\n")
      let cockpit = try Cockpit(["--demo", "--config", file], home: home)
      #expect(cockpit.pty.wait(timeout: Tool.patience) == .exited(2))
      // The terminal wraps the line wherever the length of the path puts it, between words too.
      #expect(
        cockpit.screen.filter { !$0.isWhitespace }.contains(
          "c.toml:3:\"f\"isgiventoboth'zoom'and'filter'"))
      cockpit.expectRestored()
      // Verbs that have no keys go on; the ones that look at them say it too.
      #expect(try run(["keys", "list", "--config", file]).code == 2)
      #expect(try run(["keys", "lint", "--config", file]).code == 1)
    }

    @Test("a file that is no TOML, or no text, is refused with its line and changes nothing")
    func damaged() throws {
      for (bytes, line) in [
        (Array("[\n".utf8), 1), (Array("utc = true\n\0\nread_only = true\n".utf8), 2),
        ([UInt8](repeating: 0, count: 4096), 1), (Array("utc = true\n# ".utf8) + [0xFF, 0x0A], 2),
      ] {
        let file = try home.file("c.toml", "")
        try Data(bytes).write(to: URL(filePath: file))
        for arguments in [["config", "validate", file], ["config", "show", "--config", file]] {
          let result = try run(arguments)
          #expect(result.code == 2, "\(arguments)")
          #expect((result.output + result.errors).contains("c.toml:\(line): "), "\(result)")
        }
      }
      let folder = ".config/clanky-cockpit/themes"
      try FileManager.default.createDirectory(
        atPath: home.path + "/" + folder, withIntermediateDirectories: true)
      for (name, text) in [("broken", "dark = true\n[[["), ("nul", "dark = true\n\0")] {
        _ = try home.file("\(folder)/\(name).toml", text)
      }
      let list = try run(["themes", "list"])
      #expect(list.code == 0)
      #expect(list.output.contains("broken") && list.output.contains("okabe"), "\(list)")
      #expect(try run(["themes", "show", "nul"]).code == 2)
    }

    @Test("a theme is drawn while it is chosen, and kept with every comment")
    func theme() throws {
      let text =
        "# mine\ntheme = 'okabe'  # the one I can read\n\n# careful\n[profiles.prod]\nurl = \"x\"\n"
      let file = try home.file("c.toml", text)
      let cockpit = try Cockpit(
        on: try quietDemo(), ["--config", file], home: home, rows: 30,
        environment: ["COLORTERM": "truecolor"])
      cockpit.type(":theme\r")
      try cockpit.see("> okabe")
      let before = cockpit.pty.output.count
      cockpit.type("\u{1B}[A")
      try cockpit.see("> high-contrast")
      // Its focus colour, #00E5FF or whatever it is by then, is none of okabe's: the frame is new.
      #expect(cockpit.pty.output.count - before > 2000)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
      cockpit.type("\r")
      try cockpit.see("the theme is high-contrast")
      #expect(
        try String(contentsOfFile: file, encoding: .utf8)
          == text.replacing("'okabe'", with: "\"high-contrast\""))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("config show says where everything comes from, and never the token")
    func show() throws {
      let file = try home.file(
        "c.toml",
        "theme = \"okabe\"\n[profiles.prod]\nurl = \"https://a.example\"\ntoken_command = \"echo s3cret\"\n"
      )
      let shown = try run(
        ["config", "show", "--json", "--config", file, "--profile", "prod", "--utc"],
        ["CLANKY_TOKEN": "t0ken", "CLANKY_URL": "https://b.example"])
      #expect(shown.code == 0)
      #expect(!shown.output.contains("s3cret") && !shown.output.contains("t0ken"))
      var values: [String: [String: Any]] = [:]
      for line in shown.output.split(separator: "\n") {
        let object = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        values[try #require(object["key"] as? String)] = object
      }
      #expect(values["url"]?["value"] as? String == "https://a.example")
      #expect(values["url"]?["source"] as? String == "profile")
      #expect(values["url"]?["line"] as? Int == 3)
      #expect(values["token"]?["source"] as? String == "environment")
      #expect(values["theme"]?["file"] as? String == file)
      #expect(values["utc"]?["source"] as? String == "flag")
      #expect(values["memory"]?["source"] as? String == "default")
    }

    @Test(
      "a profile's address wins over CLANKY_URL, whoever chose the profile; the top level's does not"
    )
    func address() throws {
      let text =
        "url = \"https://top.example\"\n[profiles.a]\nurl = \"https://a.example\"\n[profiles.b]\nguild = \"1\"\n"
      let chosen = try home.file("chosen.toml", "profile = \"a\"\n" + text)
      let open = try home.file("open.toml", text)
      for (file, arguments, url, source) in [
        (chosen, [], "https://a.example", "profile"),
        (open, ["--profile", "a"], "https://a.example", "profile"),
        (chosen, ["--url", "https://flag.example"], "https://flag.example", "flag"),
        (chosen, ["--profile", "b"], "https://env.example", "environment"),
        (open, [], "https://env.example", "environment"),
      ] as [(String, [String], String, String)] {
        let shown = try run(
          ["config", "show", "--json", "--config", file] + arguments,
          ["CLANKY_URL": "https://env.example"])
        let line = shown.output.split(separator: "\n").first { $0.contains("\"key\":\"url\"") }
        let words = String(line ?? "")
        #expect(words.contains(url) && words.contains("\"\(source)\""), "\(arguments) \(words)")
      }
      let unset = try run(["config", "show", "--json", "--config", open], ["CLANKY_URL": ""])
      #expect(unset.output.contains("https://top.example"))
    }

    @Test("config validate finds everything at once")
    func validate() throws {
      let file = try home.file(
        "c.toml", "theem = \"x\"\ntheme = \"nope\"\n[keys]\nzoom = \"C-m\"\nzooom = \"x\"\n")
      let checked = try run(["config", "validate", file])
      #expect(checked.code == 2)
      let lines = checked.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 4)
      for (line, words) in zip(
        lines,
        [
          ":1: 'theem' is not a known key; did you mean 'theme'?", ":2: 'theme': there is no theme",
          ":4: \"C-m\" cannot be 'zoom'",
          ":5: 'keys.zooom' is the name of no command; did you mean 'zoom'?",
        ])
      {
        #expect(line.contains(words), "\(line)")
      }
      #expect(
        try run(["config", "validate", try home.file("good.toml", "utc = true\n")]).code == 0)
      let path = try run(["config", "path"], ["XDG_CONFIG_HOME": "/x/y"])
      #expect(path.output == "/x/y/clanky-cockpit/config.toml\n")
    }

    @Test("keys and themes are listed without a cockpit")
    func lists() throws {
      let keys = try run(["keys", "list", "--preset", "less", "--json"])
      #expect(keys.code == 0)
      #expect(keys.output.contains(#""command":"page-down","keys":["Space","PgDn","C-f","C-v"]"#))
      #expect(try run(["keys", "lint"]).code == 0)
      let lonely = try home.file("c.toml", "[keys]\npage-up = \"C-b\"\n")
      let lint = try run(["keys", "lint", "--config", lonely])
      #expect(lint.code == 1)
      #expect(lint.output.contains("\"C-b\" of 'page-up' is the prefix of tmux"))
      #expect(try run(["themes", "list"]).output.contains("okabe"))
      let shown = try run(["themes", "show", "okabe"])
      #expect(shown.output.contains("domain.llm") && !shown.output.contains("\u{1B}"))
      #expect(try run(["themes", "show", "okabe", "--color", "always"]).output.contains("\u{1B}["))
      #expect(try run(["themes", "show", "okbae"]).errors.contains("did you mean 'okabe'"))
    }
  }
}
