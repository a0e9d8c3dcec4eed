import CockpitDomain
import CockpitStores
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitAnswers
@testable import CockpitPanes
@testable import CockpitShell

/// `A`: last night on one screen.
@MainActor
@Suite struct DigestCardTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  private let startMs: Int64 = 1_772_300_000_000

  private func line(
    _ topic: Digest.Topic, _ count: Int?, _ text: String, name: String = "",
    isTrouble: Bool = false, ids: [Int] = []
  ) -> Digest.Line {
    var line = Digest.Line(topic: topic, name: name, count: count, text: text)
    line.isTrouble = isTrouble
    line.evidence = ids.map {
      Answer.Evidence(
        actionID: $0, timeMs: startMs + Int64($0), kind: "sent_reply", claim: "a reply")
    }
    return line
  }

  /// A busy night.
  private func digest(missing: [MissingStretch] = []) -> Digest {
    var lines = [
      line(.answers, 123, "64 replies, 30 spoken, 11 messages, 10 reactions", ids: [11, 12]),
      line(
        .answers, 64, "last 05:26 Rosalind: \"clanky, when does the bus leave\"", name: "replies"),
      line(
        .answers, 30, "last 03:27 Yusuf: \"clanky is the wind below 727 tonight\"", name: "spoken"),
      line(.silences, 97, "16 llm_skip, 8 stale_context, 7 duplicate_reply, 54 of 21 more"),
      line(.silences, 16, "last 05:36 Rosalind: \"that makes 819 days of rain\"", name: "llm_skip"),
      line(.failures, 34, "16 never understood, 7 model failed", isTrouble: true),
      line(.failures, 7, "last 03:23 kofi.b", name: "model failed", isTrouble: true),
      line(.unknown, 2, "2 end not on record"),
      line(.errors, 48, "11 troubles: 4 discord, 10 models, 2 tunnel", isTrouble: true),
    ]
    for rule in ["discord", "models", "tunnel", "queue", "search", "embeddings", "browser", "mcp"] {
      lines.append(
        line(
          .errors, 4, "21:53 to 21:56, 4 times: It failed: socket hang up.", name: rule,
          isTrouble: true))
    }
    lines += [
      line(.sessions, 2, "Ridge Runners 15m33s, ended: nl_leave; Pixel & Solder 9m52s, ended: x"),
      line(.sessions, nil, "Ridge Runners 15m33s, ended: nl_leave, 48 turns", name: "00:58:00"),
      line(
        .cost, nil, "$3.11, usual $2.90 (same hours of 5 earlier days: $2.50 to $3.40), within it"),
      line(.cost, 221, "$2.74", name: "model call"),
      line(.automations, 4, "3 ran, 1 failed, 1 missed", isTrouble: true),
      line(.facts, 10, "10 learned, what was lost is not known: no list of before is here"),
    ]
    return Digest(
      beginning: .lastLook,
      answer: Answer(
        "Since you last looked at 22:00 (12h) the bot answered 123 times, was silent 97 times and failed to answer 34 times; 11 troubles, the worst: bot offline; $3.11, usual $2.90.",
        state: .observed,
        coverage: .init(fromMs: startMs, toMs: startMs + 43_200_000, isComplete: missing.isEmpty)),
      lines: lines, tallies: [], missing: missing)
  }

  private func drawn(_ phase: DigestState.Phase, size: Size, keys: [KeyPress] = []) -> [String] {
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.digest = DigestState(phase, fromMs: startMs)
    var card = DigestCard()
    card.clampSelection(facts, screen: size)
    for key in keys {
      _ = card.press(key, on: facts)
      card.clampSelection(facts, screen: size)
    }
    var frame = Frame(size: size, symbols: .unicode)
    card.render(
      facts, in: Rect(x: 0, y: 1, width: size.width, height: size.height - 2), into: &frame)
    return (0..<size.height).map { frame.canvas.text(row: $0) }
  }

  @Test(
    "every topic of a busy night is on one screen, and larger screens show the details",
    arguments: sizes)
  func fits(size: Size) {
    let gap = MissingStretch(
      fromMs: startMs, toMs: startMs + 4_200_000, reason: "recorder stopped")
    let text = drawn(.ready(digest(missing: [gap])), size: size).joined(separator: "\n")
    for word in [
      "123", "answers", "silent", "unanswered", "unclear", "errors", "voice", "cost", "automations",
      "facts", "is not recorded: recorder stopped", "rows are missing",
    ] {
      #expect(text.contains(word), "\(word)\n\(text)")
    }
    #expect(text.contains("embeddings") == (size.height > 24), "\(text)")
  }

  @Test("l shows the details of a line where there is no room for all, h hides them")
  func details() {
    let down = KeyPress(.char("j"))
    let keys = [down, down, down, down]
    let size = Self.sizes[0]
    let open = drawn(.ready(digest()), size: size, keys: keys + [KeyPress(.char("l"))])
    #expect(open.contains { $0.contains("socket hang up") }, "\(open)")
    let shut = drawn(
      .ready(digest()), size: size, keys: keys + [KeyPress(.char("l")), KeyPress(.char("h"))])
    #expect(shut.count { $0.contains("socket hang up") } == 0, "\(shut)")
  }

  @Test("what is done is said until it is there, and why there is none")
  func phases() {
    let size = Self.sizes[0]
    #expect(
      drawn(.loading("asking the bot"), size: size).contains { $0.contains(": asking the bot") })
    #expect(drawn(.failed("no digest: x"), size: size).contains { $0.contains("no digest: x") })
  }

  @Test("Enter goes to the rows: into the past where they are not here; y copies; Esc stops it")
  func effects() {
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.digest = DigestState(.ready(digest()), fromMs: startMs)
    var card = DigestCard()
    card.clampSelection(facts, screen: Self.sizes[0])
    #expect(
      card.press(KeyPress(.enter), on: facts)
        == .done([.replay(.seekRow(id: 12)), .digest(.stop)]))
    _ = card.press(KeyPress(.char("j")), on: facts)
    #expect(
      card.press(KeyPress(.enter), on: facts) == .effects([.say("no row stands behind this line")]))
    guard case .effects(let copied) = card.press(KeyPress(.char("y")), on: facts),
      case .copy(let text, _) = copied.first
    else {
      Issue.record("nothing was copied")
      return
    }
    #expect(text.hasPrefix("**Since you last looked"))
    #expect(card.press(KeyPress(.escape), on: facts) == .done([.digest(.stop)]))
  }

  @Test("A asks for it, :digest for one since a time")
  func asking() {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 80, height: 24))
    #expect(shell.send(.key(.char("A"), []), &fixture) == [.digest(.load(fromMs: nil))])
    _ = shell.send(.key(.escape, []), &fixture)
    for text in ["digest 2h", "digest --since 2h"] {
      let nowMs = fixture.facts().nowMs
      let effects = shell.run(line: text, fixture.facts())
      #expect(
        effects == [.carryOut(.digest(sinceMs: nowMs - 7_200_000), line: text)], "\(effects)")
    }
  }
}
