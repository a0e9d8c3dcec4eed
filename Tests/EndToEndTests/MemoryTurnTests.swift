import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Two runs of the program that change the same fact at the same moment (promise P8).
  @Suite("MEMORY: two runs, one fact (promise P8)") struct MemoryTurnTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    static let mine = "Mira prefers short answers."
    static let theirs = "Mira likes long stories."

    private func edit(_ text: String) throws -> PipedProcess {
      try PipedProcess(
        Tool.path,
        ["facts", "edit", "41", "--guild", FactServer.guild, "--fact", text, "--url", server.url],
        environment: Tool.environment(home: home, token: FactServer.token))
    }

    @Test("the second command waits for the first, then shows both texts and sends nothing")
    func twoCommands() throws {
      let gate = Gate()
      server.script(.put, .held(gate))
      let first = try edit(Self.theirs)
      first.pump { server.count(.put) == 1 }
      let second = try edit(Self.mine)
      second.pump { second.errorText.contains("Another clanky-cockpit") }
      #expect(server.count(.put) == 1)
      gate.open()
      first.wait()
      second.wait()
      #expect(first.status == .exited(0), "\(first.errorText)")
      #expect(second.status == .exited(1), "\(second.errorText)")
      #expect(second.errorText.contains(Self.theirs) && second.errorText.contains(Self.mine))
      #expect(server.count(.put) == 1 && server.fact(41)?.fact == Self.theirs)
      #expect(FactState(home).draftText.contains(Self.mine))
    }

    @Test("a command that is killed with its request out is not waited for")
    func killed() throws {
      let gate = Gate()
      server.script(.put, .held(gate))
      let first = try edit(Self.theirs)
      first.pump { server.count(.put) == 1 }
      let second = try edit(Self.mine)
      second.pump { second.errorText.contains("Another clanky-cockpit") }
      kill(first.processID, SIGKILL)
      second.wait()
      #expect(second.status == .exited(0), "\(second.errorText)")
      #expect(server.count(.put) == 2)
      gate.open()
    }

    @Test(
      "the cockpit waits for a command, and a command for the cockpit", arguments: [true, false])
    func cockpit(isFirst: Bool) throws {
      let gate = Gate()
      server.script(.put, .held(gate))
      let screen = try FactScreen(server, home: home)
      if isFirst {
        try screen.correct("Mira prefers", to: Self.mine)
        screen.expect(1, .put)
        let command = try edit(Self.theirs)
        command.pump {
          command.errorText.contains("Another clanky-cockpit")
        }
        gate.open()
        try screen.seeStored()
        command.wait()
        #expect(command.status == .exited(1), "\(command.errorText)")
        #expect(command.errorText.contains(Self.mine))
      } else {
        try screen.edit("Mira prefers")
        try screen.replace(with: Self.mine)
        let command = try edit(Self.theirs)
        screen.expect(1, .put)
        screen.send()
        try screen.see("that it waits", /Another clanky-cockpit is changing this fact/)
        gate.open()
        command.wait()
        #expect(command.status == .exited(0), "\(command.errorText)")
        try screen.see("both texts") {
          $0.contains("[SEND MINE ANYWAY]") && FactScreen.plain($0).contains(Self.theirs)
        }
      }
      #expect(server.count(.put) == 1)
    }
  }
}
