import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The list of all sources: the one that is worst off on top, and nothing green that is not known.
@MainActor @Suite struct FleetListTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  private static func trouble(
    _ rule: String, _ level: TriageLevel, _ word: StaticWord, _ sentence: String, agoS: Int64,
    count: Int = 1, next: String
  ) -> TriageTrouble {
    let now = Fixture.nowMs
    return TriageTrouble(
      id: .init(rule: rule), level: level, word: word, sinceMs: now - agoS * 1000, count: count,
      answer: Answer(
        sentence, state: .observed,
        coverage: .init(fromMs: now - agoS * 1000, toMs: now, isComplete: true),
        next: .init(next, target: nil)),
      recovery: "It works again.")
  }

  static let models = trouble(
    "models", .critical, "models fail", "Model calls fail: 529 Overloaded.", agoS: 61, count: 8,
    next: "Check the model provider's status and key.")
  static let search = trouble(
    "search", .warning, "search down", "Web search fails: Brave Search HTTP 503.", agoS: 300,
    count: 4, next: "Check the search provider's status and key.")

  /// Twenty sources in the order of a configuration.
  @MainActor struct Scene {
    @MainActor struct Bot {
      var name: String
      var fixture: Fixture
      var report = TriageReport(isKnown: true, atMs: Fixture.nowMs)
      var skewMs: Int?
    }
    var bots: [Bot] = []
    var focused = 0

    init(count: Int = 20) {
      for index in 0..<count {
        var bot = Bot(name: "bot-\(index)", fixture: Fixture())
        switch index {
        case 4: bot.report.open = [FleetListTests.search]
        case 9:
          bot.name = "a-bot-with-a-name-that-is-long"
          bot.report.open = [FleetListTests.models, FleetListTests.search]
        case 12:
          bot.fixture = Fixture(state: .reconnecting)
          bot.report.asOfMs = Fixture.nowMs - 42_000
        case 15:
          bot.fixture = Fixture(rows: [], state: .connecting, hasVoiceState: false, hasStats: false)
          bot.report.isKnown = false
        case 17: bot.skewMs = 12_400
        case 18:
          bot.report.open = [FleetListTests.search]
          bot.fixture.silences.muted = ["search"]
        default: break
        }
        bots.append(bot)
      }
    }

    mutating func facts() -> ViewContext {
      let tags = SourceTag.tags(bots.map { ($0.name, nil) })
      var members: [SourceList.Member] = []
      for index in bots.indices {
        bots[index].fixture.triage = bots[index].report
        var facts = bots[index].fixture.facts()
        facts.status.skewMs = bots[index].skewMs
        if facts.status.overall == .live {
          facts.costRate = CostSummary.Rate(usdPerHour: 0.12, overMs: 180_000)
        }
        members.append(
          SourceList.Member(name: bots[index].name, tag: tags[index], facts: facts))
      }
      var facts = members[focused].facts
      facts.sources = SourceList(members: members, focused: focused)
      return facts
    }

    /// What each key asks the program for.
    mutating func press(_ keys: String, _ shell: inout CockpitShell) -> [Effect] {
      var effects: [Effect] = []
      for word in keys.split(separator: " ") {
        guard let chord = try? KeyChord(parsing: String(word)) else { continue }
        for press in chord.presses {
          let frame = frame(&shell)
          effects += shell.handle(.key(press.key, press.modifiers), on: facts(), frame: frame)
        }
      }
      return effects
    }

    mutating func frame(_ shell: inout CockpitShell) -> Frame {
      let facts = facts()
      _ = shell.update(facts, size: shell.size)
      return shell.render(facts, size: shell.size)
    }
  }

  private static func chosen(_ effects: [Effect]) -> [SourceChoice] {
    effects.compactMap { if case .showSource(let choice) = $0 { choice } else { nil } }
  }

  /// The sources in the order of their lines.
  private static func order(_ text: String, _ scene: Scene) -> [String] {
    text.split(separator: "\n").compactMap { line in
      scene.bots.map(\.name).filter { line.contains(" \($0) ") }.max { $0.count < $1.count }
    }
  }

  @Test("twenty sources at three sizes, the sickest on top", arguments: sizes)
  func golden(size: Size) throws {
    var scene = Scene()
    var shell = CockpitShell(size: size)
    _ = scene.press("!", &shell)
    #expect(shell.overlay is FleetList)
    let canvas = scene.frame(&shell).canvas
    #expect(SoundCanvas.problems(of: canvas).isEmpty)
    try expectGolden(canvas, "fleet-\(size.width)x\(size.height)")
    let lines = canvas.text.split(separator: "\n").map(String.init)
    let first = try #require(lines.firstIndex { $0.contains("rows/min") })
    #expect(lines[first + 1].contains("models fail"), "\(lines[first + 1])")
  }

  @Test("what is not known says so, and is not green")
  func unknown() throws {
    var scene = Scene()
    let entries = try #require(scene.facts().sources).bySickness
    #expect(
      entries.prefix(5).map(\.index) == [9, 12, 4, 15, 18], "\(entries.prefix(6).map(\.index))")
    for entry in entries where [12, 15].contains(entry.index) {
      #expect(entry.role == .muted && entry.linkRole != .positive)
      #expect(!entry.lines(columns: 76).isEmpty)
    }
    let silent = try #require(entries.first { $0.index == 18 })
    #expect(silent.role == .warning)
    // No figure of what was never heard.
    let new = try #require(entries.first { $0.index == 15 }).figures
    #expect(new.perMinute == "-" && new.errors == "-" && new.window == "-" && new.newestAge == "-")
    for entry in entries where entry.standing == .well {
      #expect(entry.figures.rows != nil && entry.figures.window != "-")
    }
    // A connection that is lost is no bot that is well, though its last verdict was.
    scene.bots[0].fixture = Fixture(state: .stopped)
    let stopped = try #require(scene.facts().sources).bySickness
    #expect(stopped.firstIndex { $0.index == 0 } ?? 9 < 3)
  }

  @Test("all twenty can be reached on a small screen, and Enter shows the one that is chosen")
  func walk() throws {
    var scene = Scene()
    var shell = CockpitShell(size: Self.sizes[0])
    _ = scene.press("!", &shell)
    var seen: [String] = []
    for _ in 0..<20 {
      for name in Self.order(scene.frame(&shell).canvas.text, scene) where !seen.contains(name) {
        seen.append(name)
      }
      _ = scene.press("j", &shell)
    }
    #expect(seen.count >= 19, "\(seen)")
    #expect(Self.chosen(scene.press("Enter", &shell)) == [.named("bot-19")])
    #expect(shell.overlay == nil)
    // One that is sick shows what is wrong with it.
    _ = scene.press("!", &shell)
    #expect(
      Self.chosen(scene.press("Enter", &shell)) == [.triage("a-bot-with-a-name-that-is-long")])
  }

  @Test("a chosen source stays chosen when others get sick; without a choice the top is followed")
  func steady() throws {
    var scene = Scene()
    var shell = CockpitShell(size: Self.sizes[1])
    _ = scene.press("! j j j j j j", &shell)
    let before = scene
    var copy = shell
    let wanted = Self.chosen(scene.press("Enter", &copy))
    scene = before
    for index in [2, 3, 5] { scene.bots[index].report.open = [Self.models] }
    #expect(Self.chosen(scene.press("Enter", &shell)) == wanted)
    var fresh = Scene()
    var other = CockpitShell(size: Self.sizes[1])
    _ = fresh.press("!", &other)
    fresh.bots[9].report.open = []
    fresh.bots[2].report.open = [Self.models]
    #expect(Self.chosen(fresh.press("Enter", &other)) == [.triage("bot-2")])
  }

  @Test("! closes it; one source has its triage behind the same key, and no word of a fleet")
  func keys() throws {
    var scene = Scene()
    var shell = CockpitShell(size: Self.sizes[0])
    _ = scene.press("! !", &shell)
    #expect(shell.overlay == nil)
    _ = scene.press("! w", &shell)
    #expect(shell.overlay is TriageList)
    var fixture = Fixture()
    var alone = CockpitShell(size: Self.sizes[0])
    alone.type("!", &fixture)
    #expect(alone.overlay is TriageList)
    alone.type("Esc ?", &fixture)
    #expect(!alone.render(fixture.facts(), size: Self.sizes[0]).canvas.text.contains("each bot"))
  }

  @Test("a skew above two seconds is said, and counted figures have the window they have")
  func figures() throws {
    var scene = Scene()
    let entries = try #require(scene.facts().sources).bySickness
    let skewed = try #require(entries.first { $0.index == 17 })
    #expect(skewed.lines(columns: 76).map(\.text.description) == ["its clock is 12s ahead"])
    // Rows of four minutes are no rows of fifteen.
    var rates = FleetFigures(
      rates: MinuteRates(), beginMs: Fixture.nowMs - 250_000, newestMs: nil, cost: nil,
      skewMs: nil, endMs: Fixture.nowMs, nowMs: Fixture.nowMs)
    #expect(rates.window == "5m" && rates.perMinute == "0.0" && rates.errors == "0")
    rates.cost = CostSummary.Rate(usdPerHour: 1, overMs: 900_000)
    // A cost of another window has no place beside them.
    #expect(rates.costPerHour == "-")
    let none = FleetFigures(
      rates: MinuteRates(), beginMs: nil, newestMs: nil, cost: nil, skewMs: 1_900,
      endMs: Fixture.nowMs, nowMs: Fixture.nowMs)
    #expect(none.perMinute == "-" && none.errors == "-" && none.skewWords == nil)
  }
}
