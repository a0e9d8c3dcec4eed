import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A disk that becomes full in the middle of a write: the old content stays whole, and the error
  /// is reported.
  @Suite("full disk (promise P7)", .enabled(if: DiskTests.canMount, "mounting needs root"))
  struct FullDiskTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    private static let path = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    private static let state = "$HOME/.local/state/clanky-cockpit"

    /// The home becomes a disk of 64 KiB. `prepare` runs while there is room; then one page is left,
    /// or none, and `script` runs, in which `$@` is the program.
    private static func script(_ prepare: String, pagesLeft: Int, _ script: String) -> String {
      "mount -t tmpfs -o size=64k,mode=700 tmpfs \"$HOME\" || exit 9; cd \"$HOME\"; \(prepare)\n"
        + "cat /dev/zero > fill 2>/dev/null; "
        + "truncate -s -$((\(pagesLeft) * 4096)) fill\n\(script)"
    }

    private func environment() -> [String: String] {
      Tool.environment(
        home: home, token: FactServer.token, Self.path.merging(["TMPDIR": "/tmp"]) { $1 })
    }

    private func run(_ script: String, _ arguments: [String]) throws -> PipedProcess {
      let process = try PipedProcess(
        "/usr/bin/unshare",
        ["-m", "/bin/sh", "-c", script, "sh", Tool.path] + arguments,
        environment: environment())
      process.wait()
      return process
    }

    @Test("an export: the old file as it was, no half one beside it", arguments: [0, 1])
    func export(pagesLeft: Int) throws {
      server.meanwhile { book in
        for index in 0..<40 {
          book.add(
            .init(
              id: 1000 + index, guild: FactServer.guild, subject: "__lore__",
              fact: "filler \(index) " + String(repeating: "x", count: 300)))
        }
      }
      let process = try run(
        Self.script(
          "echo before > facts.jsonl", pagesLeft: pagesLeft,
          "\"$@\"; echo \"code $?\"; cat facts.jsonl; ls -A"),
        ["facts", "export", "--output", "facts.jsonl", "--url", server.url])
      #expect(process.text.hasPrefix("code 1\nbefore\n"), "\(process.text)")
      #expect(process.errorText.contains("the disk is full"), "\(process.errorText)")
      let names = process.lines.dropFirst(2).filter {
        !$0.hasPrefix(".local") && !$0.hasPrefix(".cache")
      }
      #expect(names.sorted() == ["facts.jsonl", "fill"], "\(process.text)")
    }

    @Test("an edit whose journal line does not fit is not sent, and the journal has no half line")
    func journal() throws {
      // The last page of the journal has room for 30 bytes.
      let prepare =
        "umask 077; mkdir -p \"\(Self.state)\"; touch \"\(Self.state)/journal.lock\"; "
        + "head -c 4065 /dev/zero | tr '\\0' x > \"\(Self.state)/journal.jsonl\"; "
        + "echo >> \"\(Self.state)/journal.jsonl\""
      let process = try run(
        Self.script(
          prepare, pagesLeft: 0,
          "\"$@\"; echo \"code $?\"; wc -c < \"\(Self.state)/journal.jsonl\"; "
            + "tail -c 5 \"\(Self.state)/journal.jsonl\""),
        ["facts", "edit", "41", "--fact", "Mira likes long answers.", "--url", server.url])
      #expect(process.text == "code 1\n4066\nxxxx\n", "\(process.text)\n\(process.errorText)")
      #expect(process.errorText.contains("the disk is full"), "\(process.errorText)")
      #expect(server.writes.isEmpty)
    }

    @Test(
      "a draft that cannot be saved stays in the form, says so, and is saved when there is room")
    func draft() throws {
      let pty = try PTYProcess(
        "/usr/bin/unshare",
        [
          "-m", "/bin/sh", "-c",
          Self.script(
            "umask 077; mkdir -p \"\(Self.state)/drafts\"", pagesLeft: 0,
            "exec \"$@\""),
          "sh", Tool.path, "--tab", "memory", "--url", server.url,
        ], environment: environment(), rows: 45, columns: 98)
      try pty.expect("Mira prefers", timeout: Tool.patience)
      pty.send("/\u{15}Mira prefers\r")
      try pty.expect("CREATED", timeout: Tool.patience)
      pty.send("\u{F}e")
      try pty.expect("EDIT FACT #", timeout: Tool.patience)
      pty.send("zebra")
      try pty.expect("could not be saved", timeout: Tool.patience)
      #expect(pty.terminal.text.contains("zebra"))
      // Room again: seen from outside through the process, whose mounts are its own.
      let root = "/proc/\(pty.processID)/root\(home.path)"
      try FileManager.default.removeItem(atPath: "\(root)/fill")
      pty.send("s")
      let drafts = "\(root)/.local/state/clanky-cockpit/drafts"
      let text = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: drafts)) ?? []
        return names.compactMap { try? String(contentsOfFile: "\(drafts)/\($0)", encoding: .utf8) }
          .joined()
      }
      #expect(
        pty.pump(timeout: Tool.patience) { text().contains("zebras") }, "\(pty.terminal.text)")
      pty.signal(SIGTERM)
      #expect(pty.wait(timeout: Tool.patience) == .exited(143))
      #expect(server.writes.isEmpty)
    }

    @Test("a configuration that cannot be written stays as it was, and setup says why")
    func configuration() throws {
      let prepare =
        "umask 077; mkdir -p .config/clanky-cockpit; echo 'theme = \"mono\"' > .config/clanky-cockpit/config.toml"
      let pty = try PTYProcess(
        "/usr/bin/unshare",
        [
          "-m", "/bin/sh", "-c",
          Self.script(
            prepare, pagesLeft: 0,
            "\"$@\"; echo \"code $?\"; cat .config/clanky-cockpit/config.toml; "
              + "ls -A .config/clanky-cockpit | tr '\\n' ' '; echo end"),
          "sh", Tool.path, "setup",
        ],
        environment: Tool.environment(home: home, Self.path.merging(["TMPDIR": "/tmp"]) { $1 }),
        rows: 40, columns: 200)
      try pty.expect("Address [", timeout: Tool.patience)
      pty.send("\(server.url)\n")
      try pty.expect("Token:", timeout: Tool.patience)
      pty.send("\(FactServer.token)\n")
      try pty.expect("It works", timeout: Tool.patience)
      try pty.expect("Profile name:", timeout: Tool.patience)
      pty.send("\n")
      try pty.expect("Save [y]:", timeout: Tool.patience)
      pty.send("\n")
      try pty.expect("end", timeout: Tool.patience)
      let text = String(decoding: pty.output.filter { $0 != 0x0D }, as: UTF8.self)
      #expect(text.contains("the disk is full"), "\(text)")
      #expect(text.contains("code 1\ntheme = \"mono\"\nconfig.toml end"), "\(text)")
    }
  }
}
