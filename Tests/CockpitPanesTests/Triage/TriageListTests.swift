import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The line on every tab, and the list behind it.
@MainActor @Suite struct TriageListTests {
  nonisolated static let sizes = [Size(width: 80, height: 24), Size(width: 120, height: 40)]

  private static func trouble(
    _ rule: String, _ level: TriageLevel, _ word: StaticWord, _ sentence: String, agoS: Int64,
    endedAgoS: Int64? = nil, count: Int = 1, next: String, target: Answer.NextStep.Target? = nil
  ) -> TriageTrouble {
    let now = Fixture.nowMs
    return TriageTrouble(
      id: .init(rule: rule), level: level, word: word, sinceMs: now - agoS * 1000,
      endedMs: endedAgoS.map { now - $0 * 1000 }, count: count,
      answer: Answer(
        sentence, state: .observed,
        coverage: .init(fromMs: now - agoS * 1000, toMs: now, isComplete: true),
        next: .init(next, target: target)),
      recovery: "It works again.")
  }

  private static let report = TriageReport(
    isKnown: true,
    open: [
      trouble(
        "search", .warning, "search down", "Web search fails: Brave Search HTTP 503.", agoS: 300,
        count: 4, next: "Check the search provider's status and key.",
        target: .filter("kind:search_error")),
      trouble(
        "models", .critical, "models fail", "Model calls fail: 529 Overloaded.", agoS: 61,
        count: 8, next: "Check the model provider's status and key.",
        target: .filter("kind:llm_error")),
      trouble(
        "automation_missed", .warning, "job missed",
        "Automation #2 \"night check-in\" was due and did not run.", agoS: 7200,
        next: "Restart the bot if it does not run soon.", target: .line("tab cmd")),
    ],
    over: [
      trouble(
        "tunnel", .warning, "tunnel down", "The bot's tunnel has failed.", agoS: 1800,
        endedAgoS: 1500, next: "See the bot's log; restart the bot.")
    ], atMs: Fixture.nowMs)

  @Test("a next step is never cut in the list")
  func wholeNextSteps() {
    // The list is as wide as this screen.
    let size = Self.sizes[0]
    let next =
      "Check the key and the limits of the provider on its status page, then start the bot anew: "
      + "it reads its keys at the start and at no other time."
    var fixture = fixture(
      TriageReport(
        isKnown: true,
        open: [
          Self.trouble(
            "models", .critical, "models fail", "Model calls fail: 529 Overloaded.", agoS: 61,
            next: next)
        ], atMs: Fixture.nowMs))
    var shell = CockpitShell(size: size)
    shell.type("!", &fixture)
    let canvas = shell.render(fixture.facts(), size: size).canvas
    let box = (0..<size.height - 2).map { canvas.text(row: $0) }.filter { $0.contains("│") }
      .joined(separator: " ").split { " │".contains($0) }.joined(separator: " ")
    #expect(box.contains(next), "\(box)")
  }

  private func fixture(_ report: TriageReport = report) -> Fixture {
    var fixture = Fixture()
    fixture.triage = report
    return fixture
  }

  @Test(
    "every tab has the line: the worst, since when, what to do, and the key that lists the others",
    arguments: Tab.allCases)
  func line(tab: Tab) {
    for size in Self.sizes + [Size(width: 80, height: 14)] {
      var fixture = fixture()
      let canvas = CockpitShell(tab: tab, size: size).render(fixture.facts(), size: size).canvas
      let hints = canvas.text(row: size.height - 1)
      #expect(hints.contains("! triage"), "\(hints)")
      let rows = [size.height - 3, size.height - 2].map { canvas.text(row: $0) }.joined()
      #expect(rows.contains("Check the model provider's status and key. ! 2 more"), "\(rows)")
      #expect(rows.contains("models fail") || rows.contains("Model calls fail"), "\(rows)")
      #expect(rows.contains("14:31") && rows.contains("8"), "\(rows)")
      #expect(canvas.text(row: 0).contains("models fail"))
      #expect(canvas.text(row: 0).contains("LIVE"))
      var well = self.fixture(TriageReport(isKnown: true, atMs: Fixture.nowMs))
      let quiet = CockpitShell(tab: tab, size: size).render(well.facts(), size: size).canvas
      #expect(!quiet.text.contains("Check the model") && quiet.text(row: 0).contains("bot ok"))
      #expect(!quiet.text.contains("! triage"))
    }
  }

  @Test("! opens the list and closes it; so do the line after : and Esc")
  func keys() {
    var fixture = fixture()
    var shell = CockpitShell(size: Self.sizes[0])
    shell.type("!", &fixture)
    #expect(shell.overlay is TriageList)
    shell.type("!", &fixture)
    #expect(shell.overlay == nil)
    shell.type(": t r i a g e Enter", &fixture)
    #expect(shell.overlay is TriageList)
    shell.type("Esc", &fixture)
    #expect(shell.overlay == nil)
  }

  private static func wishes(_ effects: [Effect]) -> [AlarmWish] {
    effects.compactMap { effect in
      switch effect {
      case .alarm(let wish), .carryOut(.alarm(let wish), line: _): wish
      default: nil
      }
    }
  }

  @Test(
    "a acknowledges, z snoozes, m mutes the chosen one; what is silent leaves the line and stays in the list"
  )
  func silences() {
    var fixture = fixture()
    var shell = CockpitShell(size: Self.sizes[0])
    func press(_ keys: String) -> [Effect] {
      keys.split(separator: " ").flatMap { word in
        shell.send(
          word == "Esc" ? .key(.escape, []) : .key(.char(Character(String(word))), []), &fixture)
      }
    }
    _ = press("!")
    let models = TriageTrouble.ID(rule: "models")
    #expect(Self.wishes(press("a")) == [AlarmWish.acknowledge(models)])
    #expect(Self.wishes(press("j z")) == [AlarmWish.snooze(rule: "search", ms: 3_600_000)])
    #expect(Self.wishes(press("m")) == [AlarmWish.mute(rule: "search")])
    #expect(shell.overlay is TriageList)
    fixture.silences.acknowledge(Self.report.open[0], nowMs: Fixture.nowMs)
    fixture.silences.muted = ["search"]
    #expect(Self.wishes(press("m")) == [AlarmWish.unmute(rule: "search")])
    let list = shell.render(fixture.facts(), size: Self.sizes[0]).canvas.text
    #expect(list.contains("8x  ack") && list.contains("4x  muted"), "\(list)")
    _ = press("Esc")
    let line = shell.render(fixture.facts(), size: Self.sizes[0]).canvas
    let rows = [21, 22].map { line.text(row: $0) }.joined()
    #expect(rows.contains("was due and did not run") && !rows.contains("more"), "\(rows)")
    // The bot is no better for it.
    #expect(line.text(row: 0).contains("models fail"))
  }

  @Test(
    "the line after : silences rules by name",
    arguments: [
      ("snooze models 2h", AlarmWish.snooze(rule: "models", ms: 7_200_000)),
      ("snooze models", .snooze(rule: "models", ms: 3_600_000)),
      ("mute watch.slow", .mute(rule: "watch.slow")),
      ("unmute models", .unmute(rule: "models")), ("ack", .acknowledge(nil)),
      ("ack models", .acknowledgeRule("models")),
    ])
  func lines(line: String, wish: AlarmWish) {
    var fixture = fixture()
    var shell = CockpitShell(size: Self.sizes[0])
    #expect(Self.wishes(shell.run(line: line, fixture.facts())) == [wish])
  }

  @Test("a rule that is none is said, with the nearest one")
  func unknownRule() {
    var fixture = fixture()
    var shell = CockpitShell(size: Self.sizes[0])
    _ = shell.run(line: "mute modles", fixture.facts())
    let text = shell.render(fixture.facts(), size: Self.sizes[0]).canvas.text
    #expect(text.contains("there is no rule") && text.contains("models"), "\(text)")
  }

  @Test("Enter goes to the rows of the chosen one")
  func rows() {
    var fixture = fixture()
    var shell = CockpitShell(tab: .voice, size: Self.sizes[0])
    shell.type("! j Enter", &fixture)
    #expect(shell.overlay == nil && shell.tab == .pulse)
    let text = shell.render(
      fixture.facts(query: shell.pulse.feedQuery), size: shell.size
    ).canvas.text
    #expect(text.contains("kind:search_error"), "\(text)")
    shell.type("! G k Enter", &fixture)
    #expect(shell.tab == .cmd)
  }

  @Test("the list, and the line under it", arguments: sizes)
  func golden(size: Size) throws {
    var fixture = fixture()
    var shell = CockpitShell(size: size)
    shell.type("!", &fixture)
    try expectGolden(
      shell.render(fixture.facts(), size: size).canvas,
      "triage-list-\(size.width)x\(size.height)")
  }

  @Test("no sentence and no next step is cut, at any size: the long sentence of a lost connection")
  func whole() {
    let sentence =
      "No connection since 14:30:40 (1m 29s): could not connect to http://127.0.0.1:8787, "
      + "connection refused. Trying again in 12 s. What is shown is as of 14:30:38."
    let next = "Run doctor if it lasts."
    var report = Self.report
    report.open.append(
      Self.trouble("connection", .warning, "no link", sentence, agoS: 89, next: next))
    for width in [40, 60, 80, 120, 200] {
      var fixture = fixture(report)
      let size = Size(width: width, height: 60)
      var shell = CockpitShell(size: size)
      shell.type("!", &fixture)
      let canvas = shell.render(fixture.facts(), size: size).canvas
      let words = canvas.text.split { $0.isWhitespace || "│|".contains($0) }.map(String.init)
      for trouble in report.open {
        for word in trouble.answer.sentence.split(separator: " ").map(String.init) {
          #expect(words.contains { $0.contains(word) }, "\(width): \(word)")
        }
        let step = (trouble.answer.next?.sentence ?? "").split(separator: " ").map(String.init)
        #expect(step.allSatisfy(words.contains), "\(width): \(step)")
      }
      #expect(!canvas.text.contains("refus…") && words.contains("14:30:38."))
    }
  }

  @Test("nothing is wrong: the list says so", arguments: sizes)
  func empty(size: Size) {
    var fixture = fixture(TriageReport(isKnown: true, atMs: Fixture.nowMs))
    var shell = CockpitShell(size: size)
    shell.type("!", &fixture)
    let text = shell.render(fixture.facts(), size: size).canvas.text
    #expect(text.contains("nothing is known to be wrong") && text.contains("0 troubles"))
  }

  @Test("every size from the smallest draws the list with its cursor in sight")
  func sizesAll() {
    for width in stride(from: 40, through: 200, by: 23) {
      for height in [10, 14, 24, 40] {
        var fixture = fixture()
        let size = Size(width: width, height: height)
        var shell = CockpitShell(size: size)
        shell.type("! G", &fixture)
        let text = shell.render(fixture.facts(), size: size).canvas.text
        #expect(text.contains("It works"), "\(width)x\(height):\n\(text)")
      }
    }
  }
}
