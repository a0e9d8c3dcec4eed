import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct JoinOverlayTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 40, height: 10),
  ]

  private func shell(_ size: Size = Size(width: 80, height: 24), tab: Tab = .cmd) -> CockpitShell {
    CockpitShell(tab: tab, size: size)
  }

  private func join(_ effects: [Effect]) -> JoinRequest? {
    effects.compactMap { if case .command(.join(let request)) = $0 { request } else { nil } }.first
  }

  @Test("guild, person, text channel, then the question; only then something is asked")
  func whole() throws {
    var fixture = CommandFixture.rich()
    var shell = shell()
    #expect(fixture.type("Enter", &shell).isEmpty)
    #expect(fixture.screen(&shell).contains("IN WHICH GUILD?"))
    #expect(fixture.type("Enter", &shell).isEmpty)
    #expect(fixture.screen(&shell).contains("whoever is in voice"))
    fixture.write("jam", &shell)
    #expect(fixture.screen(&shell).contains("1 of 3"))
    #expect(fixture.type("Enter Down Enter", &shell).isEmpty)
    let question = fixture.screen(&shell)
    for text in ["The Workshop", "james", "#general", "[CANCEL] [JOIN]"] {
      #expect(question.contains(text), "\(text)")
    }
    let request = try #require(join(fixture.type("Tab Enter", &shell)))
    #expect(
      request
        == JoinRequest(
          guildID: CommandFixture.workshop, requesterUserID: MemoryFixture.james,
          textChannelID: "600000000000000001", source: "clanky_cockpit"))
    #expect(fixture.type("Enter", &shell).isEmpty, "it is asked once")
    #expect(shell.overlay == nil)
  }

  @Test("everything can be left to the backend; then no channel is chosen either")
  func backendsChoice() throws {
    var fixture = CommandFixture.rich()
    var shell = shell()
    let request = try #require(
      join(fixture.type("Enter Down Down Down Enter Enter Right Enter", &shell)))
    #expect(request == JoinRequest(source: "clanky_cockpit"))
  }

  @Test("a run of Enter asks for nothing")
  func enterOnly() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    #expect(join(fixture.type("Enter Enter Enter Enter Enter Enter Enter", &shell)) == nil)
  }

  @Test("Esc clears what is typed, goes back a step, and closes at the first")
  func back() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    fixture.type("Enter Enter", &shell)
    fixture.write("nobody of this name", &shell)
    #expect(fixture.screen(&shell).contains("nothing matches"))
    #expect(fixture.type("Enter", &shell).isEmpty)
    fixture.type("Esc", &shell)
    #expect(fixture.screen(&shell).contains("whoever is in voice"))
    fixture.type("Esc", &shell)
    #expect(fixture.screen(&shell).contains("IN WHICH GUILD?"))
    fixture.type("Esc", &shell)
    #expect(shell.overlay == nil)
  }

  @Test("an id that is typed in full is one to choose; a paste narrows and chooses nothing")
  func typedID() throws {
    var fixture = CommandFixture.rich()
    var shell = shell()
    fixture.type("Enter Enter", &shell)
    #expect(fixture.send(.paste("123456789012345678\n"), &shell).isEmpty)
    #expect(fixture.screen(&shell).contains("id 123456789012345678"))
    let request = try #require(join(fixture.type("Enter Enter Tab Enter", &shell)))
    #expect(request.requesterUserID == "123456789012345678")
    #expect(request.textChannelID == nil)
  }

  @Test("lists that are missing are asked for once")
  func requests() {
    var fixture = CommandFixture()
    var shell = shell(tab: .pulse)
    _ = shell.perform(.joinVoice, fixture.facts(shell))
    #expect(fixture.draw(&shell).requests == [.command(.loadGuilds)])
    fixture.store.guilds = .loading(nil)
    #expect(fixture.draw(&shell).requests.isEmpty)
    fixture.store.guilds = .loaded([Guild(id: "g", name: "G")], atMs: 0)
    fixture.type("Enter Enter", &shell)
    #expect(fixture.draw(&shell).requests == [.command(.loadChannels(guild: "g"))])
    fixture.store.channels["g"] = .failed(.other("The backend answered 500."), nil)
    #expect(fixture.draw(&shell).requests.isEmpty)
    #expect(fixture.screen(&shell).contains("could not be had"))
  }

  @Test("clicks select and choose; the wheel moves")
  func mouse() throws {
    var fixture = CommandFixture.rich()
    var shell = shell()
    fixture.type("Enter", &shell)
    func click(_ item: Int) throws {
      let target = Frame.Target.overlay(item)
      let frame = fixture.draw(&shell).frame
      let area = try #require(frame.targets.first { $0.target == target }?.area)
      fixture.send(.mouse(.down(0), column: area.x + 1, row: area.y, []), &shell)
    }
    try click(101)
    #expect(fixture.screen(&shell).contains("IN WHICH GUILD?"))
    try click(101)
    #expect(fixture.screen(&shell).contains("WHOM DOES IT FOLLOW?"))
    fixture.type("Enter Enter", &shell)
    try click(1)
    #expect(fixture.screen(&shell).contains("Game Dev Crew"))
  }

  @Test("with read-only there is no form")
  func readOnly() {
    var fixture = CommandFixture.rich()
    fixture.isReadOnly = true
    var shell = shell()
    #expect(shell.perform(.joinVoice, fixture.facts(shell)).isEmpty)
    #expect(shell.overlay == nil)
    #expect(fixture.screen(&shell).contains("this profile is read-only"))
  }

  // MARK: Outcomes

  nonisolated static let reasons: [JoinReason] = [
    .joined, .alreadyInChannel, .noGuildAvailable, .guildNotFound, .requesterNotInVoice,
    .requesterIsBot, .noVoiceMembersFound, .textChannelUnavailable, .joinNotHandled,
    .voiceJoinUnconfirmed, .voiceJoinUnknown, .voiceJoinUnavailable,
    JoinReason(rawValue: "a_new\u{1B}[31m_reason"),
  ]

  /// The form after it was sent.
  private func asked(_ fixture: inout CommandFixture, _ size: Size) -> CockpitShell {
    var shell = shell(size)
    fixture.type("Enter Enter Enter Enter Tab Enter", &shell)
    return shell
  }

  @Test("every outcome is said in a sentence and stays until it is read", arguments: reasons)
  func outcome(reason: JoinReason) throws {
    var fixture = CommandFixture.rich()
    fixture.store.join = .failed(ChangeFailure(.other("an older failure")), atMs: 1)
    var shell = asked(&fixture, Size(width: 120, height: 40))
    #expect(fixture.screen(&shell).contains("Asking the bot to join…"))
    fixture.store.join = .underWay(sinceMs: Fixture.nowMs - 12_400)
    #expect(fixture.screen(&shell).contains("The bot is joining, for 12.4s now"))
    let isIn = reason == .joined || reason == .alreadyInChannel
    fixture.store.join = .ended(
      JoinResult(
        ok: isIn, reason: reason, guildID: CommandFixture.workshop,
        voiceChannelID: isIn ? "600000000000000009" : nil), atMs: Fixture.nowMs)
    let screen = fixture.screen(&shell)
    let flat = screen.split { $0.isWhitespace || $0 == "│" }.joined(separator: " ")
    #expect(flat.contains(PlainText(reason.sentence).description.prefix(60)), "\(flat)")
    #expect(!screen.unicodeScalars.contains("\u{1B}"))
    #expect(screen.contains(isIn ? "SHOW VOICE" : "CHANGE AND TRY AGAIN"))
    #expect(screen.contains("#voice-chat") == isIn || !isIn)
    fixture.type("x 4", &shell)
    #expect(shell.overlay != nil, "no other key closes it")
    #expect(join(fixture.type("Right Enter", &shell)) == nil)
    if isIn {
      #expect(shell.tab == .voice && shell.overlay == nil)
    } else {
      #expect(fixture.screen(&shell).contains("WHERE DOES IT WRITE?"))
    }
    // It is still to be read on the tab.
    shell.overlay = nil
    shell.tab = .cmd
    #expect(shell.command.focus == .actions)
  }

  @Test("a request that failed says why, and one under way is shown instead of a second")
  func failed() {
    var fixture = CommandFixture.rich()
    var shell = asked(&fixture, Size(width: 80, height: 24))
    fixture.store.join = .failed(
      ChangeFailure(.other("Nothing answers at http://127.0.0.1:8787: start the bot.")),
      atMs: Fixture.nowMs)
    #expect(fixture.screen(&shell).contains("Nothing answers at http://127.0.0.1:8787"))
    fixture.type("Esc", &shell)
    #expect(shell.overlay == nil)
    fixture.store.join = .underWay(sinceMs: Fixture.nowMs)
    fixture.type("Enter", &shell)
    #expect(fixture.screen(&shell).contains("The bot is joining"))
  }

  @Test("as it is drawn", arguments: sizes.ends)
  func golden(size: Size) throws {
    var fixture = CommandFixture.rich()
    fixture.base.connection.learn(
      user: "700000000000000055",
      name: "\u{1B}[31mmallory\u{202E}" + String(repeating: "長", count: 60))
    var shell = shell(size)
    func expect(_ name: String) throws {
      try expectGolden(
        fixture.draw(&shell).frame.canvas, "join-\(name)-\(size.width)x\(size.height)")
    }
    fixture.type("Enter", &shell)
    try expect("guild")
    fixture.type("Enter", &shell)
    try expect("person")
    fixture.type("Enter", &shell)
    try expect("channel")
    fixture.type("Enter", &shell)
    try expect("question")
    fixture.type("Tab Enter", &shell)
    fixture.store.join = .ended(
      JoinResult(ok: false, reason: .requesterNotInVoice, guildID: CommandFixture.workshop),
      atMs: Fixture.nowMs)
    try expect("refused")
  }
}
