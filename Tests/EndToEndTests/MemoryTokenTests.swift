import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A user told the bot the dashboard token, and it remembers (promises P6, P8).
  @Suite("MEMORY: a fact that holds the token (promises P6, P8)") struct MemoryTokenTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
      server.meanwhile { book in
        book.change(41) { $0.fact = "Mira prefers \(FactServer.token) as a password." }
      }
    }

    private func run(_ arguments: [String]) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, ["facts"] + arguments + ["--url", server.url],
        environment: Tool.environment(home: home, token: FactServer.token))
      process.wait()
      #expect(!(process.text + process.errorText).contains(FactServer.token))
      return process
    }

    private let edit = ["edit", "41", "--guild", FactServer.guild]

    @Test("no command shows it")
    func commands() throws {
      for arguments in [
        ["list"], ["list", "--json"], ["show", "41"], ["show", "41", "--json"],
        ["search", "Mira", "--guild", FactServer.guild], ["export", "--format", "csv"],
        ["export", "--format", "markdown"],
      ] {
        let process = try run(arguments)
        #expect(process.status == .exited(0), "\(process.errorText)")
        // Markdown writes angles with a backslash.
        let text = process.text.replacing("\\", with: "")
        #expect(text.contains("<token> as a password"), "\(arguments): \(process.text)")
      }
    }

    @Test("an edit that would put the stand-in into its place is refused, every other one goes out")
    func editing() throws {
      let refused = try run(edit + ["--confidence", "0.5"])
      #expect(refused.status == .exited(1))
      #expect(refused.errorText.contains("holds the dashboard token"), "\(refused.errorText)")
      #expect(server.writes.isEmpty)
      let sent = try run(edit + ["--fact", "Mira prefers no passwords."])
      #expect(sent.status == .exited(0), "\(sent.errorText)")
      #expect(server.requests(.put).map { $0.text("fact") } == ["Mira prefers no passwords."])
      #expect(!FactState(home).journalText.contains(FactServer.token))
      #expect(!FactState(home).draftText.contains(FactServer.token))
    }

    @Test("the cockpit shows the stand-in and says why it is not sent")
    func cockpit() throws {
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      // Another type, the text as it is.
      screen.type("\u{5} and so on")
      screen.send()
      try screen.see("why", /holds the dashboard token.*draft is kept/)
      #expect(server.writes.isEmpty)
      screen.end()
      #expect(
        !String(decoding: screen.cockpit.pty.output, as: UTF8.self).contains(FactServer.token))
    }
  }
}
