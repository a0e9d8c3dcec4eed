import CockpitAnswers
import Foundation
import Testing

@testable import CockpitDemo

/// What the line says in the demo's stories, against what really happened.
@MainActor @Suite struct TriageStoryTests {
  /// So long after its first failure the third one of a service comes in `failing`, in ms: it fails once in six
  /// steps of 3 to 6 s, models twice. What the program adds is the 10 s above.
  private static let thirdFailureMs: Int64 = 60_000

  @Test(
    "failing: every trouble is named at most 10 s after it is one, with its first failure as onset",
    arguments: 1...20 as ClosedRange)
  func failing(seed: UInt64) throws {
    let replay = TriageReplay(.failing, seed: seed)
    var named: [(ms: Int64, open: [TriageTrouble])] = []
    for second in 0..<200 {
      replay.step(second)
      named.append((replay.demo.nowMs, replay.board.report.open))
    }
    var checked = 0
    for trouble in replay.world.truth.troubles {
      guard let ms = trouble.confirmedMs, ms + 10_000 < replay.demo.nowMs else { continue }
      checked += 1
      let rule = TriageReplay.rule(for: trouble.kind)
      let first = named.first { $0.ms >= ms && $0.open.contains { $0.rule == rule } }
      let seconds = (ms - replay.startMs) / 1000
      guard let first, let shown = first.open.first(where: { $0.rule == rule }) else {
        Issue.record("nobody named \(trouble.kind) at \(seconds) s")
        continue
      }
      #expect(first.ms <= ms + 10_000, "\(trouble.kind) at \(seconds) s")
      // From the first failure on: at once for states, with the third failure for what is counted.
      let isCounted = TruthTrouble.counted.contains(trouble.kind)
      let delay = first.ms - trouble.onsetMs
      #expect(
        delay <= (isCounted ? Self.thirdFailureMs : 0) + 10_000, "\(trouble.kind): \(delay) ms")
      // What the line calls the onset is the first failure; a state is seen with the next message of ours.
      if isCounted { #expect(abs(shown.sinceMs - trouble.onsetMs) <= 1000, "\(trouble.kind)") }
    }
    #expect(checked >= 10)
    for trouble in replay.board.report.open {
      #expect(trouble.answer.next != nil && !trouble.answer.sentence.isEmpty)
    }
  }

  @Test(
    "a bot that is well has no line in 30 minutes",
    arguments: ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil
      ? [DemoScenario.story] : [.story, .quiet, .parked, .voice],
    ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil ? [1] : [1, 2] as [UInt64])
  func well(scenario: DemoScenario, seed: UInt64) {
    let replay = TriageReplay(scenario, seed: seed)
    for second in 0..<1800 {
      replay.step(second)
      let open = replay.board.report.open
      #expect(open.isEmpty, "\(scenario) after \(second) s: \(open.map(\.answer.sentence))")
      if !open.isEmpty { return }
    }
    #expect(replay.board.report.over.isEmpty && replay.board.report.isKnown)
  }

  @Test(
    "night: the troubles of the truth file are named in their time, and no others",
    arguments: [1, 2, 3] as [UInt64])
  func night(seed: UInt64) {
    let replay = TriageReplay(.night, seed: seed)
    var spans: [TriageTrouble.ID: (first: Int64, last: Int64)] = [:]
    func note() {
      for trouble in replay.board.report.open {
        let ms = replay.board.report.atMs
        spans[trouble.id] = (spans[trouble.id]?.first ?? ms, ms)
      }
    }
    let world = replay.world
    for ms in stride(from: world.truth.fromMs, through: replay.startMs, by: 15_000) {
      replay.replayPast(to: ms)
      note()
    }
    for second in 0..<240 {
      replay.step(second)
      note()
    }
    let troubles = world.truth.troubles.filter { $0.confirmedMs != nil }
    for trouble in troubles {
      let rule = TriageReplay.rule(for: trouble.kind)
      let span = spans.first { $0.key.rule == rule }?.value
      guard let span else {
        Issue.record("seed \(seed): nobody named \(trouble.kind)")
        continue
      }
      let confirmed = trouble.confirmedMs ?? 0
      #expect(span.first >= trouble.onsetMs, "\(trouble.kind) is named before it begins")
      // What no row tells is known once the state is there; the second row of the gateway comes after 45 s.
      if !["mcp", "automation_missed", "automation_failed"].contains(trouble.kind) {
        #expect(
          span.first <= confirmed + (trouble.kind == "gateway" ? 60_000 : 30_000),
          "\(trouble.kind) is named late")
      }
      if let end = trouble.endMs { #expect(span.last <= end + 20_000, "\(trouble.kind) stays") }
    }
    let known = Set(troubles.map { TriageReplay.rule(for: $0.kind) })
    for id in spans.keys { #expect(known.contains(id.rule), "seed \(seed): \(id) is no trouble") }
  }
}
