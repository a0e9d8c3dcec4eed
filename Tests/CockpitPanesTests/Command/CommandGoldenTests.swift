import TerminalUI
import CockpitDomain
import ClankyWire
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitAnswers
@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct CommandGoldenTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 60, height: 20), Size(width: 40, height: 10),
  ]

  private func expect(
    _ name: String, _ size: Size, _ fixture: inout CommandFixture, keys: String = ""
  ) throws {
    var shell = CockpitShell(tab: .cmd, size: size)
    fixture.type(keys, &shell)
    try expectGolden(
      fixture.draw(&shell).frame.canvas, "cmd-\(name)-\(size.width)x\(size.height)")
  }

  @Test("a rich backend", arguments: sizes)
  func rich(size: Size) throws {
    var fixture = CommandFixture.rich()
    try expect("rich", size, &fixture)
  }

  @Test(
    "other pairs of classes",
    arguments: [
      Size(width: 120, height: 16), Size(width: 200, height: 15), Size(width: 80, height: 12),
      Size(width: 80, height: 50), Size(width: 50, height: 45), Size(width: 140, height: 24),
    ])
  func pairs(size: Size) throws {
    var fixture = CommandFixture.rich()
    try expect("rich", size, &fixture)
  }

  @Test(
    "promises of every verdict: rows of the cost panel, one row where it has no place",
    arguments: sizes)
  func promises(size: Size) throws {
    var fixture = CommandFixture.rich()
    func promise(
      _ kind: Promise.Kind, _ verdict: Promise.Verdict, _ objective: Promise.Objective,
      _ value: Promise.Value?, n: Int, missed: Int? = nil
    ) -> Promise {
      var promise = Promise(
        kind: kind, verdict: verdict, objective: objective, value: value, n: n, missed: missed,
        fromMs: Fixture.nowMs - 86_400_000, toMs: Fixture.nowMs, isComplete: kind != .skip)
      if kind == .skip { promise.fromMs = Fixture.nowMs - 22_320_000 }
      promise.leastN = 59
      return promise
    }
    var text = promise(.text, .burning, .milliseconds(8000), .p95(7400), n: 212, missed: 8)
    text.used = 0.75
    text.burn = .init(overMs: 3_600_000, rate: 7.2, threshold: 6)
    text.breachInMs = 3_000_000
    var cost = promise(.cost, .kept, .usd(5), .usd(2.47), n: 40)
    cost.used = 0.49
    cost.burn = .init(overMs: 3_600_000, rate: 0.8)
    var unanswered = promise(.unanswered, .broken, .share(0.02), .share(0.09), n: 64, missed: 6)
    unanswered.used = 4.7
    fixture.base.promises = PromiseReport(promises: [
      text, promise(.voice, .tooFew, .milliseconds(2500), .worst(9700), n: 14), unanswered, cost,
      promise(.skip, .kept, .range(0.2...0.6), .share(0.41), n: 120),
    ])
    try expect("promises", size, &fixture)
    // The whole panel, whatever its place.
    try expect("promises-zoom", size, &fixture, keys: "Tab Tab z")
  }

  @Test("nothing was fetched yet", arguments: sizes.ends)
  func empty(size: Size) throws {
    var fixture = CommandFixture()
    try expect("empty", size, &fixture)
  }

  @Test("the backend is down", arguments: sizes.ends)
  func down(size: Size) throws {
    var fixture = CommandFixture(base: Fixture(state: .reconnecting, hasVoiceState: false))
    let sentence = "Nothing answers at http://127.0.0.1:8787: start the bot, or check the address."
    var status = SourceStatus(overall: .reconnecting, detail: sentence)
    status[.activity].state = .reconnecting
    status[.activity].retryAtNs = Fixture.monotonicNs + 5_000_000_000
    status[.voice].state = .stopped
    status.pollingReason = "the tunnel holds the stream back"
    fixture.status = status
    try expect("down", size, &fixture)

    var stale = CommandFixture.rich()
    stale.status?.overall = .stale
    try expect("stale", size, &stale)
  }

  @Test("read-only, and a backend of March", arguments: sizes.prefix(1))
  func march(size: Size) throws {
    var fixture = CommandFixture.rich()
    fixture.isReadOnly = true
    fixture.fillRuntime(
      tunnel: """
        "enabled":true,"status":"error","publicUrl":"https://gone.trycloudflare.com",\
        "lastError":"cloudflared exited with code 1: \\u001b[31mcontext canceled"
        """)
    fixture.store.accounts = .notServed
    fixture.store.settings = .notServed
    fixture.store.automations = [CommandFixture.workshop: .notServed]
    fixture.store.browserSessions = .failed(
      .other("The backend answered 500: database is locked."), nil)
    try expect("march", size, &fixture)
  }

  @Test("what is unfolded", arguments: sizes.prefix(2))
  func unfolded(size: Size) throws {
    var fixture = CommandFixture.rich()
    var shell = CockpitShell(tab: .cmd, size: size)
    fixture.type("Tab Enter Tab j Enter Tab Enter", &shell)
    try expectGolden(
      fixture.draw(&shell).frame.canvas, "cmd-unfolded-\(size.width)x\(size.height)")
  }

  @Test("each panel alone", arguments: CommandPane.Panel.allCases)
  func alone(panel: CommandPane.Panel) throws {
    let size = Size(width: 80, height: 24)
    var fixture = CommandFixture.rich()
    var shell = CockpitShell(tab: .cmd, size: size)
    shell.command.showAlone(panel)
    try expectGolden(fixture.draw(&shell).frame.canvas, "cmd-alone-\(panel.rawValue)-80x24")
  }

  @Test("text of strangers keeps to its cells (promises P2, P11)", arguments: sizes.ends)
  func hostile(size: Size) throws {
    var fixture = CommandFixture.rich()
    let escape = "\u{1B}[31mred\u{1B}]0;title\u{7}\u{202E}evil\u{2066} x\u{9B}2J"
    let wide = String(repeating: "長い文 👩‍👩‍👧 ", count: 40)
    let at = Fixture.nowMs
    fixture.store.guilds = .loaded(
      [Guild(id: CommandFixture.workshop, name: escape), Guild(id: "5\u{1B}[2J", name: wide)],
      atMs: at)
    fixture.store.automations = [
      CommandFixture.workshop: .loaded(
        AutomationPage(rows: [
          Automation(
            id: 1, title: escape + "\nline", status: AutomationStatus(rawValue: escape),
            lastRunAt: CommandFixture.ago(5), lastError: wide)
        ]), atMs: at)
    ]
    fixture.store.browserSessions = .loaded(
      BrowserSessionPage(sessions: [
        BrowserSession(
          sessionID: escape, instruction: wide, totalCostUsd: .nan, totalSteps: .max,
          durationMs: .min, currentURL: escape, errorMessage: escape)
      ]), atMs: at)
    fixture.costs.byModel = [.init(name: escape, usd: .infinity, calls: .max)]
    fixture.costs.days = [.nan, .infinity, -3, 1e308, 0]
    fixture.costs.rate = .init(usdPerHour: .infinity, overMs: 900_000)
    fixture.costs.tokens.input = .max
    fixture.client.cpuPercent = .nan
    fixture.client.receivedBytesPerSecond = 1e300
    fixture.setup.profiles = [.init(name: escape, url: wide, isReadOnly: true)]
    fixture.setup.current = escape
    fixture.setup.tokenPlace = escape
    fixture.store.log.append(.init(atMs: at, severity: .error, text: escape + wide))
    fixture.store.join = .failed(ChangeFailure(.other(escape)), atMs: at)
    fixture.base.connection.learn(user: "7", name: escape)
    try expect("hostile", size, &fixture)
  }
}
