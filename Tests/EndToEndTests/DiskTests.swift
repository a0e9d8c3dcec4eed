import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A disk that does not do its part: the program runs, says so, and destroys nothing.
  @Suite("disk (promise P7)") struct DiskTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// Looks at MEMORY and CMD, and quits.
    private func expectUsable(
      _ cockpit: Cockpit, _ what: String, says words: String? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      try cockpit.see("live, \(what)") { _ in cockpit.isLive }
      if let words { try cockpit.see(words) }
      try cockpit.type("4", see: "REFLECTIONS")
      try cockpit.type("5", see: "CONNECTION")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0), what: what, sourceLocation: sourceLocation)
    }

    private func cockpit(_ environment: [String: String] = [:]) throws -> Cockpit {
      try Cockpit(
        ["--demo", "quiet"], home: home, rows: 40, columns: 140, environment: environment)
    }

    // MARK: Homes

    @Test("no home, a missing one, a file in its place, a state directory that cannot be made")
    func homes() throws {
      let file = try home.file("file", "")
      let cases: [(environment: [String: String], words: String?)] = [
        (["HOME": ""], "there is no state directory"),
        (["HOME": "relative"], "there is no state directory"),
        (["HOME": file], "nothing is kept on the disk"),
        (
          ["XDG_STATE_HOME": "\(file)/state", "XDG_CACHE_HOME": "\(file)/cache"], "nothing is kept"
        ),
        (["TMPDIR": "\(home.path)/none"], nil),
      ]
      for (environment, words) in cases {
        try expectUsable(try cockpit(environment), "\(environment)", says: words)
      }
    }

    @Test("a home that is no UTF-8 text is no home: nothing is made beside it, and that is said")
    func oddHome() throws {
      // A name of a file that only a shell can write.
      let script = #"HOME="$1/$(printf 'caf\351')"; mkdir -p "$HOME"; shift; exec "$0" "$@""#
      for (verb, code) in [
        (["config", "path"], Int32(1)), (["facts", "journal"], 1),
        (["setup", "--url", "http://127.0.0.1:9", "--no-test", "--no-token"], 1),
      ] {
        let process = try PipedProcess(
          "/bin/sh", ["-c", script, Tool.path, home.path] + verb,
          environment: Tool.environment(home: home))
        #expect(process.wait() == .exited(code), "\(verb): \(process.errorText)")
        #expect(
          process.errorText.contains("HOME is no UTF-8 text and counts as not set"),
          "\(verb): \(process.errorText)")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
      #expect(names.count == 1, "\(names)")
    }

    /// Whether a file system of our own can be mounted: as root, in a mount namespace.
    static let canMount: Bool = {
      #if os(Linux)
        guard geteuid() == 0, let home = try? TemporaryFolder() else { return false }
        let script = "mount -t tmpfs -o size=64k tmpfs \"$HOME\""
        let process = try? PipedProcess(
          "/usr/bin/unshare", ["-m", "/bin/sh", "-c", script],
          environment: ["HOME": home.path, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        return process?.wait() == .exited(0)
      #else
        return false
      #endif
    }()

    @Test(
      "a home that is read-only, and one on a full disk",
      .enabled(if: canMount, "mounting needs root"),
      arguments: [
        ("-o ro,size=64k", ":"),
        ("-o size=64k", "cat /dev/zero > \"$HOME/fill\" 2>/dev/null"),
      ])
    func mounts(options: String, fill: String) throws {
      let script =
        "mount -t tmpfs \(options) tmpfs \"$HOME\" || exit 9; \(fill); exec \"$0\" \"$@\""
      let pty = try PTYProcess(
        "/usr/bin/unshare",
        ["-m", "/bin/sh", "-c", script, Tool.path, "--demo", "quiet"],
        environment: Tool.environment(
          home: home, ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": "/tmp"]),
        rows: 40, columns: 140)
      try pty.expect("LIVE ", timeout: Tool.patience)
      if options.contains("ro,") {
        try pty.expect("nothing is kept on the disk", timeout: Tool.patience)
      }
      pty.send("4")
      try pty.expect("REFLECTIONS", timeout: Tool.patience)
      pty.send("q")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0))
    }

    @Test(
      "a process that may write no files still has its screen, and gives the terminal back (promise P9)"
    )
    func noFiles() throws {
      let pty = try PTYProcess(
        "/bin/sh", ["-c", "ulimit -f 0; exec \"$0\" --demo quiet", Tool.path],
        environment: Tool.environment(home: home), rows: 60, columns: 200)
      try pty.expect("LIVE ", timeout: Tool.patience)
      pty.send("4")
      try pty.expect("REFLECTIONS", timeout: Tool.patience)
      pty.send("q")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0))
      #expect(String(decoding: pty.output, as: UTF8.self).contains("\u{1B}[?1049l"))
    }

    @Test("a widget without a disk still has its line")
    func widget() throws {
      let process = try PipedProcess(
        "/bin/sh", ["-c", "ulimit -f 0; exec \"$0\" widget small --demo quiet", Tool.path],
        environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(0), "\(process.errorText)")
      #expect(process.lines.count == 1)
    }

    // MARK: Things in the place of files

    enum Thing: String, CaseIterable, CustomTestStringConvertible {
      case empty, zeros, folder, pipe, link, dangling
      var testDescription: String { rawValue }

      func place(at path: String) throws {
        let manager = FileManager.default
        try manager.createDirectory(
          atPath: URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false),
          withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        switch self {
        case .empty: _ = manager.createFile(atPath: path, contents: Data())
        case .zeros: _ = manager.createFile(atPath: path, contents: Data(count: 5000))
        case .folder: try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .pipe: #expect(mkfifo(path, 0o600) == 0)
        case .link:
          _ = manager.createFile(atPath: path + ".target", contents: Data("untouched".utf8))
          try manager.createSymbolicLink(atPath: path, withDestinationPath: path + ".target")
        case .dangling:
          try manager.createSymbolicLink(atPath: path, withDestinationPath: path + ".none")
        }
      }
    }

    static let files = [
      ".local/state/clanky-cockpit/journal.jsonl", ".local/state/clanky-cockpit/cockpit.log",
      ".local/state/clanky-cockpit/drafts", ".local/state/clanky-cockpit/journal.lock",
      ".cache/clanky-cockpit/widget.json", ".config/clanky-cockpit/credentials.toml",
    ]

    @Test(
      "anything in the place of the files of the state: it runs, waits for nobody, destroys nothing",
      arguments: Thing.allCases)
    func things(thing: Thing) throws {
      for file in Self.files { try thing.place(at: "\(home.path)/\(file)") }
      try expectUsable(try cockpit(), thing.rawValue)
      let manager = FileManager.default
      for file in Self.files where file.hasSuffix("journal.jsonl") || file.hasSuffix("drafts") {
        let path = "\(home.path)/\(file)"
        switch thing {
        case .zeros: #expect(manager.contents(atPath: path) == Data(count: 5000), "\(file)")
        case .link:
          #expect(manager.contents(atPath: path + ".target") == Data("untouched".utf8), "\(file)")
        case .dangling: #expect(!manager.fileExists(atPath: path + ".none"), "\(file)")
        case .empty, .folder, .pipe: break
        }
      }
    }

    @Test(
      "anything in the place of the configuration is named and left alone",
      arguments: [Thing.zeros, .folder, .pipe])
    func configuration(thing: Thing) throws {
      let path = "\(home.path)/.config/clanky-cockpit/config.toml"
      try thing.place(at: path)
      let process = try PipedProcess(
        Tool.path, ["config", "validate"], environment: Tool.environment(home: home))
      let status = process.wait()
      if thing == .zeros {
        #expect(FileManager.default.contents(atPath: path) == Data(count: 5000))
      } else {
        #expect(status == .exited(2))
        #expect(process.errorText.contains("config.toml"), "\(process.errorText)")
      }
    }

    @Test("a torn theme is named and never overwritten")
    func tornTheme() throws {
      let folder = "\(home.path)/.config/clanky-cockpit"
      try FileManager.default.createDirectory(
        atPath: "\(folder)/themes", withIntermediateDirectories: true)
      let torn = Data("theme = \"gla".utf8)
      #expect(FileManager.default.createFile(atPath: "\(folder)/themes/mono.toml", contents: torn))
      let process = try PipedProcess(
        Tool.path, ["snapshot", "--demo", "quiet", "--view", "pulse", "--theme", "mono"],
        environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(2))
      #expect(process.errorText.contains("mono.toml"), "\(process.errorText)")
      #expect(FileManager.default.contents(atPath: "\(folder)/themes/mono.toml") == torn)
    }

    @Test(
      "a corrupt configuration is named, set aside and never overwritten; nothing else ends for it (promise P7)",
      arguments: [Data("read_only = true\nurl = [".utf8), Data([0, 1, 2]), Data([0xFF, 0xFE])])
    func corruptConfiguration(bytes: Data) throws {
      let folder = "\(home.path)/.config/clanky-cockpit"
      let path = "\(folder)/config.toml"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      #expect(FileManager.default.createFile(atPath: path, contents: bytes))
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let environment = Tool.environment(
        home: home, token: demo.token, ["CLANKY_URL": demo.url])
      for arguments in [
        ["snapshot", "--view", "pulse"], ["facts", "list"], ["tail", "-n", "1", "--once"],
        ["config", "path"],
      ] {
        let process = try PipedProcess(Tool.path, arguments, environment: environment)
        if arguments[0] == "tail" {
          // The demo's stream does not end; what was said before it did is enough.
          #expect(process.pump { process.errorText.contains("config.toml") })
          process.signal(SIGTERM)
        } else {
          #expect(process.wait() == .exited(0), "\(arguments): \(process.errorText)")
        }
        guard arguments[0] != "config" else { continue }
        #expect(process.errorText.contains("config.toml:"), "\(process.errorText)")
        #expect(process.errorText.contains("not used"), "\(process.errorText)")
      }
      // It may have said so.
      let edit = try PipedProcess(
        Tool.path, ["facts", "edit", "1", "--fact", "x"], environment: environment)
      #expect(edit.wait() == .exited(2))
      #expect(edit.errorText.contains("may say read_only"), "\(edit.errorText)")

      let pty = try PTYProcess(Tool.path, [], environment: environment, rows: 40, columns: 160)
      try pty.expect("config.toml", timeout: Tool.patience)
      try pty.expect("LIVE", timeout: Tool.patience)
      pty.send("q")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0))
      #expect(FileManager.default.contents(atPath: path) == bytes)
    }

    // MARK: Who may read

    @Test(
      "0600 in 0700, whatever the umask is, and open folders are closed",
      arguments: ["000", "077", "0177", "0377", "0777"])
    func modes(umask: String) throws {
      let state = "\(home.path)/.local/state/clanky-cockpit"
      try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: state)
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let script = "umask \(umask); \"$0\" widget small >/dev/null; exec \"$0\" --tab memory"
      let pty = try PTYProcess(
        "/bin/sh", ["-c", script, Tool.path],
        environment: Tool.environment(
          home: home, token: demo.token, ["CLANKY_URL": demo.url]), rows: 40, columns: 120)
      try pty.expect("REFLECTIONS", timeout: Tool.patience)
      try pty.expect("CREATED", timeout: Tool.patience)  // a fact is selected
      pty.send("e")
      try pty.expect("EDIT FACT #", timeout: Tool.patience)
      pty.send("x")
      // The draft is written a moment after the last key.
      let drafts = {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(state)/drafts")) ?? []
      }
      #expect(pty.pump(timeout: Tool.patience) { !drafts().isEmpty })
      pty.signal(SIGTERM)
      #expect(pty.wait(timeout: Tool.patience) == .exited(143))
      var count = 0
      for folder in [state, "\(home.path)/.cache/clanky-cockpit"] {
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        for name in names + ["."] {
          let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
          let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
          let mode = attributes[.posixPermissions] as? Int ?? 0
          #expect(mode == (isFolder ? 0o700 : 0o600), "\(folder)/\(name)")
          count += 1
        }
      }
      #expect(count > 4)
      // Parent directories are created as well; without the right mode they would be unusable.
      let cache = try FileManager.default.attributesOfItem(atPath: "\(home.path)/.cache")
      #expect(cache[.posixPermissions] as? Int == 0o700)
    }
  }
}
