import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct CommandPaneTests {
  private let size = Size(width: 120, height: 40)

  private func shell(_ size: Size? = nil, tab: Tab = .cmd) -> CockpitShell {
    CockpitShell(tab: tab, size: size ?? self.size)
  }

  // MARK: Fetching

  @Test("what the tab is made of is asked for once for each connection")
  func requests() {
    var fixture = CommandFixture()
    var shell = shell()
    let first = fixture.draw(&shell).requests
    #expect(
      first == [.command(.loadGuilds), .command(.loadBrowserSessions), .command(.loadAccounts)])
    #expect(fixture.draw(&shell).requests.isEmpty)

    fixture.store.guilds = .loaded([Guild(id: "g", name: "G")], atMs: 0)
    #expect(fixture.draw(&shell).requests == [.command(.loadAutomations(guild: "g"))])
    fixture.store.automations["g"] = .failed(.other("The backend answered 500."), nil)
    #expect(fixture.draw(&shell).requests.isEmpty, "a failure is not repeated by itself")

    var status = fixture.base.connection.status
    status.returns = 1
    fixture.status = status
    #expect(fixture.draw(&shell).requests.count == 4, "a reconnect reads anew")
    #expect(fixture.draw(&shell).requests.isEmpty)

    #expect(fixture.type("r", &shell) == [.refetch])
    fixture.fetcher.forget()
    #expect(fixture.draw(&shell).requests.contains(.command(.loadGuilds)))
    #expect(fixture.draw(&shell).requests.isEmpty)
  }

  @Test("nothing is asked for while the backend is not heard")
  func deaf() {
    var fixture = CommandFixture(base: Fixture(state: .reconnecting))
    var shell = shell()
    #expect(fixture.draw(&shell).requests.isEmpty)
    #expect(fixture.type("r", &shell) == [.reconnect])
    var status = fixture.base.connection.status
    status.overall = .live
    fixture.status = status
    #expect(fixture.draw(&shell).requests.count == 3)
  }

  @Test("requests for the streams are requests: none is said of those that were never tried")
  func requestsOfStreams() {
    var fixture = CommandFixture(base: Fixture(state: .stopped))
    var shell = shell()
    var status = fixture.base.connection.status
    fixture.status = status
    #expect(fixture.screen(&shell).contains("none was sent"))
    status[.activity].connections = 1
    fixture.status = status
    #expect(fixture.screen(&shell).contains("none but streams"))
  }

  @Test("a flood of guilds is no flood of requests")
  func manyGuilds() {
    var fixture = CommandFixture()
    fixture.store.guilds = .loaded(
      (0..<4000).map { Guild(id: "\($0)", name: "x") }, atMs: 0)
    var shell = shell()
    #expect(fixture.draw(&shell).requests.count == 53)
  }

  // MARK: Keys

  @Test(
    "Tab walks all panels, also those without a place",
    arguments: [
      Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 40, height: 10),
      Size(width: 80, height: 10), Size(width: 200, height: 12),
    ])
  func tab(size: Size) {
    var fixture = CommandFixture.rich()
    var shell = shell(size)
    var seen: [CommandPane.Panel] = []
    for _ in CommandPane.Panel.allCases {
      seen.append(shell.command.focus)
      let body = shell.layout(alertRows: 0).tab
      #expect(
        !shell.command.layout(fixture.facts(shell), in: body, of: size)[shell.command.focus].isEmpty
      )
      fixture.type("Tab", &shell)
    }
    #expect(Set(seen).count == CommandPane.Panel.allCases.count)
    #expect(shell.command.focus == .actions)
    fixture.type("S-Tab", &shell)
    #expect(shell.command.focus == .latency)
  }

  @Test("panels never overlap and lie within the screen", arguments: [10, 15, 20, 24, 31, 40, 60])
  func noOverlap(height: Int) {
    var fixture = CommandFixture.rich()
    for width in stride(from: 40, through: 220, by: 9) {
      let size = Size(width: width, height: height)
      var shell = shell(size)
      for panel in CommandPane.Panel.allCases {
        shell.command.focus = panel
        let body = shell.layout(alertRows: 0).tab
        let layout = shell.command.layout(fixture.facts(shell), in: body, of: size)
        let areas = layout.panels.values.filter { !$0.isEmpty }
        let cells =
          areas.reduce(0) { $0 + $1.width * $1.height }
          + layout.dividers.reduce(0) { $0 + $1.height }
          + layout.summary.width * layout.summary.height
        #expect(cells == body.width * body.height, "\(width)x\(height) \(panel)")
        #expect(areas.allSatisfy { $0.maxY <= body.maxY && $0.maxX <= body.maxX })
        #expect(!layout.content(panel).isEmpty, "\(width)x\(height) \(panel)")
      }
    }
  }

  @Test("z gives a panel the screen, Esc takes it back, q then quits")
  func zoom() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    fixture.type("z", &shell)
    #expect(!fixture.screen(&shell).contains("CONNECTION"))
    #expect(fixture.type("Esc", &shell).isEmpty)
    #expect(fixture.screen(&shell).contains("CONNECTION"))
    fixture.type("z", &shell)
    #expect(fixture.type("q", &shell).isEmpty)
    #expect(fixture.type("q", &shell) == [.quit])
  }

  @Test("Enter unfolds a guild and asks for its channels")
  func unfoldGuild() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    shell.command.focus = .guilds
    _ = fixture.draw(&shell)
    fixture.type("Enter", &shell)
    #expect(
      shell.needs(fixture.facts(shell)).contains(
        .command(.loadChannels(guild: CommandFixture.workshop))))
    #expect(fixture.screen(&shell).contains("# bot-lab"))
    #expect(fixture.type("Enter", &shell).isEmpty)
    #expect(!fixture.screen(&shell).contains("# bot-lab"))
    #expect(fixture.type("Enter", &shell).isEmpty)
  }

  @Test("Enter unfolds an automation and asks for its runs; daily times are the host's")
  func unfoldAutomation() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    shell.command.focus = .automations
    _ = fixture.draw(&shell)
    fixture.type("j Enter", &shell)
    #expect(
      shell.needs(fixture.facts(shell)).contains(
        .command(.loadRuns(guild: CommandFixture.workshop, automation: 7))))
    shell.command.isZoomed = true
    let screen = fixture.screen(&shell)
    #expect(screen.contains("daily at 18:00, in the bot host's own time zone"))
    #expect(screen.contains("posted 240 characters") && screen.contains("no channel"))
  }

  @Test("Enter on a past session shows it in VOICE and asks for its events")
  func replay() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    shell.command.focus = .history
    let effects = fixture.type("j Enter", &shell)
    #expect(effects == [.loadVoiceSession(id: "h-2")])
    #expect(shell.tab == .voice && shell.voice.pastID == "h-2")
    fixture.type("5", &shell)
    #expect(shell.command.focus == .history)
  }

  @Test("the cursor stays on its row while rows come above it")
  func cursor() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    shell.command.focus = .log
    // In the zoomed panel an entry is one row.
    fixture.type("z j", &shell)
    for index in 0..<30 {
      fixture.store.log.append(
        .init(atMs: Fixture.nowMs + Int64(index), severity: .info, text: "later \(index)"))
    }
    fixture.type("Enter", &shell)
    var facts = fixture.facts(shell)
    _ = facts
    facts = fixture.facts(shell)
    let layout = shell.command.layout(
      fixture.facts(shell), in: shell.layout(alertRows: 0).tab, of: size)
    #expect(shell.command.current(facts, layout)?.text.contains("31 of 31 rows") == true)
    fixture.type("g g", &shell)
    #expect(shell.command.current(fixture.facts(shell), layout)?.text.contains("later 29") == true)
  }

  @Test("Enter on another profile switches, on this one it says so")
  func profiles() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    #expect(
      shell.command.perform(
        .profiles, on: fixture.facts(shell), body: shell.layout(alertRows: 0).tab, screen: size)
        == []
    )
    #expect(shell.command.focus == .connection)
    #expect(fixture.type("Enter", &shell).isEmpty)
    #expect(shell.command.message == "this profile is in use")
    #expect(fixture.type("j Enter", &shell) == [.switchProfile(name: "staging")])
  }

  @Test(":log shows the log of this program alone, from any tab")
  func log() {
    var fixture = CommandFixture.rich()
    var shell = shell(tab: .pulse)
    fixture.type(":", &shell)
    fixture.write("log", &shell)
    fixture.type("Enter", &shell)
    #expect(shell.tab == .cmd)
    let screen = fixture.screen(&shell)
    #expect(screen.contains("CLIENT LOG") && !screen.contains("CONNECTION"))
    #expect(screen.contains("14:32:00 ! GET /api/automations failed: 500 database is locked"))
  }

  // MARK: Actions

  @Test("leaving says why it cannot, and with read-only nothing is changed")
  func cannot() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    #expect(fixture.type("j Enter", &shell).isEmpty)
    #expect(shell.command.message?.description.contains("no route to leave voice") == true)
    fixture.isReadOnly = true
    for keys in ["k Enter", "j Enter", "j Enter"] {
      #expect(fixture.type(keys, &shell).isEmpty)
      #expect(shell.overlay == nil)
      #expect(shell.command.message?.description.contains("read-only") == true)
    }
  }

  @Test("a backend that can leave is asked only after a question")
  func leave() {
    var fixture = CommandFixture.rich()
    fixture.store.canLeave = true
    var shell = shell()
    #expect(fixture.type("j Enter", &shell).isEmpty)
    #expect(shell.overlay?.title == "leave voice?")
    #expect(fixture.type("Enter", &shell).isEmpty, "the answer that does it has no focus at first")
    #expect(shell.overlay == nil)
    #expect(
      fixture.type("Enter Tab Enter", &shell) == [.command(.leave(guild: CommandFixture.workshop))])
    fixture.store.leave = .ended(true, atMs: Fixture.nowMs)
    #expect(fixture.screen(&shell).contains("The bot has left."))
    fixture.type("Enter", &shell)
    #expect(shell.overlay == nil)
  }

  @Test("the memory is refreshed after a question, and the outcome stays until it is read")
  func refreshMemory() {
    var fixture = CommandFixture.rich()
    fixture.store.memoryRefresh = .failed(ChangeFailure(.other("an older failure")), atMs: 1)
    var shell = shell()
    fixture.type("j j Enter", &shell)
    #expect(fixture.type("Right Enter", &shell) == [.command(.refreshMemory(guild: nil))])
    #expect(fixture.screen(&shell).contains("Asking…"), "an older end is not this one's")
    fixture.store.memoryRefresh = .underWay(sinceMs: Fixture.nowMs - 3000)
    #expect(fixture.screen(&shell).contains("Under way for 3.00s"))
    fixture.store.memoryRefresh = .failed(
      ChangeFailure(.other("The backend answered 500: busy.")), atMs: Fixture.nowMs)
    #expect(fixture.screen(&shell).contains("The backend answered 500: busy."))
    fixture.type("Esc", &shell)
    #expect(shell.overlay == nil)
  }

  @Test("search goes to MEMORY and asks what the backend shall search for")
  func search() {
    var fixture = CommandFixture.rich()
    fixture.base.memory.guilds = [CommandFixture.workshop]
    var shell = shell()
    fixture.type("j j j Enter", &shell)
    #expect(shell.tab == .memory && shell.memory.bar == .search)
  }

  @Test("export asks for a file and names a new one")
  func export() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    fixture.type("j j j j j Enter", &shell)
    #expect(
      fixture.type("Enter", &shell)
        == [.exportRows(path: "clanky-rows-2026-03-01-143209.jsonl")])
    fixture.type("Enter C-u", &shell)
    fixture.write("~/a b.jsonl", &shell)
    #expect(fixture.type("Enter", &shell) == [.exportRows(path: "~/a b.jsonl")])
  }

  @Test("random keys never change anything at the backend without the question")
  func mashing() {
    var fixture = CommandFixture.rich()
    fixture.store.canLeave = true
    var shell = shell()
    var random = SystemRandomNumberGenerator()
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+=[]{}()<>,.'"
    for _ in 0..<300 {
      guard let letter = letters.randomElement(using: &random), shell.quitPrompt == nil else {
        break
      }
      if shell.tab != .cmd { _ = shell.perform(.cmd, fixture.facts(shell)) }
      for case .command(let request) in fixture.send(.key(.char(letter), []), &shell) {
        switch request {
        case .join, .leave, .refreshMemory: Issue.record("\(letter) led to \(request)")
        default: break
        }
      }
    }
  }

  // MARK: Mouse

  @Test("the first click selects a row, the second opens it; the wheel scrolls")
  func mouse() throws {
    var fixture = CommandFixture.rich()
    var shell = shell()
    let target = Frame.Target.command(.row(.guilds, 1))
    let area = try #require(fixture.draw(&shell).frame.targets.first { $0.target == target }?.area)
    let click = InputEvent.mouse(.down(0), column: area.x + 3, row: area.y, [])
    #expect(fixture.send(click, &shell).isEmpty)
    #expect(shell.command.focus == .guilds)
    fixture.send(click, &shell)
    #expect(
      shell.needs(fixture.facts(shell)).contains(
        .command(.loadChannels(guild: CommandFixture.crew))))

    let panel = try #require(
      fixture.draw(&shell).frame.targets.first { $0.target == .command(.panel(.cost)) }?.area)
    fixture.send(.mouse(.wheelDown, column: panel.x + 4, row: panel.y + 3, []), &shell)
    #expect(shell.command.cursors[.cost]?.scroll ?? 0 > 0)
    #expect(shell.command.focus == .guilds, "the wheel does not take the keys along")
  }

  // MARK: Copying

  @Test("what can be copied is the data of the row")
  func copying() {
    var fixture = CommandFixture.rich()
    var shell = shell()
    shell.command.focus = .guilds
    fixture.type("Enter j", &shell)
    let items = shell.command.copyItems(fixture.facts(shell))
    #expect(items.contains(CopyItem(.id, "600000000000000001")))
    #expect(
      items.contains(
        CopyItem(.url, "https://discord.com/channels/500000000000000001/600000000000000001")))
    shell.command.focus = .history
    let facts = fixture.facts(shell)
    #expect(
      shell.command.copyItems(facts).contains(
        CopyItem(.permalink, facts.permalink(["session"], "h-1"))))
  }
}
