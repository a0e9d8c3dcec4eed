import CockpitDomain
import CockpitStores
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitAnswers
@testable import CockpitPanes
@testable import CockpitShell

/// `=`: two windows side by side.
@MainActor
@Suite struct CompareCardTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  private static let startMs: Int64 = 1_772_300_000_000
  private static let hourMs: Int64 = 3_600_000

  /// An hour of forty messages, of which every fourth is skipped, and one of which three of four are.
  private func sides() -> ComparedSides {
    var units = CompareUnits()
    units.fromMs = Self.startMs
    for hour in 0..<2 {
      for index in 0..<40 {
        let isSkip = index % 4 == 0 || hour == 1 && index % 4 != 3
        let ms = Self.startMs + Int64(hour) * Self.hourMs + Int64(index) * 60_000
        var turn = CompareUnits.Turn(
          timeMs: ms, isVoice: false, outcome: isSkip ? .skipped : .replied,
          evidence: Answer.Evidence(
            actionID: 100 * hour + index + 1, timeMs: ms, kind: "sent_reply", claim: "x"))
        turn.latencyMs = isSkip ? nil : 2000 + index * 37 % 400
        turn.reason = isSkip ? "llm_skip" : nil
        units.turns.append(turn)
      }
    }
    // One loss before and four now: of 40 turns each.
    for (index, hour) in [0, 1, 1, 1, 1].enumerated() {
      let ms = Self.startMs + Int64(hour) * Self.hourMs + Int64(index) * 60_000
      units.incidents.append(
        .init(
          timeMs: ms, rule: "generated_not_sent", guildID: nil, sessionID: nil,
          evidence: Answer.Evidence(actionID: 900 + index, timeMs: ms, claim: "x")))
    }
    let change = LedgerChange(
      kind: .prompt, timeMs: Self.startMs + Self.hourMs, role: "message_event", from: "",
      to: "2 sentences added", evidence: Answer.Evidence(actionID: 77, timeMs: 5, claim: "x"))
    func side(_ name: String, _ hour: Int64) -> CompareSide {
      let from = Self.startMs + hour * Self.hourMs
      return CompareSide(name, [from..<from + Self.hourMs], of: units)
    }
    return ComparedSides(side("the hour before", 0), side("now", 1), changes: [change])
  }

  private func context(_ phase: CompareState.Phase) -> ViewContext {
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.compare = CompareState(phase)
    return facts
  }

  private func drawn(_ phase: CompareState.Phase, size: Size, keys: [KeyPress] = []) -> [String] {
    let facts = context(phase)
    var card = CompareCard()
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
    "what the rules found stands below, by rule and per 100 turns, with its rows", arguments: sizes)
  func incidents(size: Size) throws {
    let keys = Array(repeating: KeyPress(.char("j")), count: 60)
    let lines = drawn(.ready(sides()), size: size, keys: keys)
    let text = lines.joined(separator: "\n")
    #expect(text.contains("incidents, and how many per 100 turns"), "\(text)")
    let row = try #require(lines.first { $0.contains("generated_not_") }, "\(text)")
    #expect(row.contains("1, 2.5") && row.contains("4, 10"), "\(row)")
    let rate = try #require(sides().comparison.incidents.first)
    #expect(rate.evidenceA.map(\.actionID) == [900])
    #expect(rate.evidenceB.map(\.actionID) == [901, 902, 903, 904])
    #expect(rate.difference?.value == 4)
  }

  @Test("sentence, both sides, the figures and their words are on the screen", arguments: sizes)
  func figures(size: Size) throws {
    let keys = Array(repeating: KeyPress(.char("j")), count: 8)
    let lines = drawn(.ready(sides()), size: size, keys: keys)
    let text = lines.joined(separator: "\n")
    for word in ["ikely worse: text skipped 25% to 75%", "A: the hour before", "B: now"] {
      #expect(text.contains(word), "\(word)\n\(text)")
    }
    let row = try #require(lines.first { $0.contains("> text skipped") }, "\(text)")
    #expect(row.contains("25%") && row.contains("75%") && row.contains("+50"), "\(row)")
    #expect(row.contains(size.width < 100 ? "worse " : "likely worse"), "\(row)")
    #expect(row.contains("40"), "\(row)")
    if size.width >= 120 { #expect(row.contains("▂") || row.contains("█"), "\(row)") }
    let reply = try #require(lines.first { $0.contains("text reply p50") }, "\(text)")
    #expect(reply.contains(size.width < 100 ? "none shown" : "no difference shown"), "\(reply)")
  }

  @Test("the foot says what a figure without a difference could have shown")
  func foot() {
    let keys = Array(repeating: KeyPress(.char("j")), count: 7)
    let text = drawn(.ready(sides()), size: Self.sizes[0], keys: keys).joined(separator: " ")
    #expect(text.contains("at least 59 on each side"), "\(text)")
  }

  @Test("what is done is said until it is there, and why there is none")
  func phases() {
    let size = Self.sizes[0]
    #expect(
      drawn(.loading("asking the bot"), size: size).contains { $0.contains("asking the bot") })
    #expect(drawn(.failed("no rows: x"), size: size).contains { $0.contains("no rows: x") })
  }

  @Test("Enter goes to the rows of the selected side, Tab swaps, y copies, Esc stops it")
  func effects() {
    let facts = context(.ready(sides()))
    var card = CompareCard()
    card.clampSelection(facts, screen: Self.sizes[1])
    for _ in 0..<8 { _ = card.press(KeyPress(.char("j")), on: facts) }
    // The newest skip of each side.
    #expect(
      card.press(KeyPress(.enter), on: facts)
        == .done([.replay(.seekRow(id: 139)), .compare(.stop)]))
    _ = card.press(KeyPress(.char("h")), on: facts)
    #expect(
      card.press(KeyPress(.enter), on: facts)
        == .done([.replay(.seekRow(id: 37)), .compare(.stop)]))
    #expect(card.press(KeyPress(.tab), on: facts) == .effects([.compare(.swap)]))
    guard case .effects(let copied) = card.press(KeyPress(.char("y")), on: facts),
      case .copy(let text, _) = copied.first
    else {
      Issue.record("nothing was copied")
      return
    }
    #expect(text.contains("text skipped") && text.contains("changed meanwhile"))
    #expect(card.press(KeyPress(.escape), on: facts) == .done([.compare(.stop)]))
  }

  @Test func swapped() {
    let sides = sides()
    #expect(sides.comparison["text_skips"]?.verdict == .worse)
    #expect(sides.swapped.comparison["text_skips"]?.verdict == .better)
    #expect(sides.swapped.swapped.comparison == sides.comparison)
  }

  @Test("= compares the last hour with the same hours before")
  func asking() {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 80, height: 24))
    let wanted: [Effect] = [
      .compare(.load(CompareWindow(.sameHoursBefore), CompareWindow(.last(ms: Self.hourMs))))
    ]
    #expect(shell.send(.key(.char("="), []), &fixture) == wanted)
    _ = shell.send(.key(.escape, []), &fixture)
    _ = shell.send(.key(.char("5"), []), &fixture)
    #expect(shell.send(.key(.char("="), []), &fixture) == wanted)
  }

  @Test("two marks are a range, four are two")
  func marks() {
    var pane = PulsePane()
    func mark(_ letter: Character, _ ms: Int64) {
      pane.marks[letter] = .init(row: RowID(ms), timeMs: ms, title: "x")
      pane.markOrder.append(letter)
    }
    #expect(pane.markedRanges.isEmpty)
    mark("a", 500)
    #expect(pane.markedRanges.isEmpty)
    mark("b", 200)
    #expect(pane.markedRanges == [200..<501])
    mark("c", 900)
    #expect(pane.markedRanges == [200..<901])
    mark("d", 700)
    #expect(pane.markedRanges == [200..<501, 700..<901])
  }
}
