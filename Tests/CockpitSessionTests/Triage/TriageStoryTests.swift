import CockpitAnswers
import Testing

@testable import CockpitDemo

/// What the line says in the demo's stories, against what really happened.
@MainActor @Suite struct TriageStoryTests {
  @Test(
    "failing: every trouble is named at most 10 s after it is one", arguments: 1...20 as ClosedRange
  )
  func failing(seed: UInt64) {
    let replay = TriageReplay(.failing, seed: seed)
    var named: [(ms: Int64, rules: Set<String>)] = []
    for second in 0..<200 {
      replay.step(second)
      named.append((replay.demo.nowMs, Set(replay.board.report.open.map(\.rule))))
    }
    var checked = 0
    for trouble in replay.world.truth.troubles {
      guard let ms = trouble.confirmedMs, ms + 10_000 < replay.demo.nowMs else { continue }
      checked += 1
      let rule = TriageReplay.rule(for: trouble.kind)
      let isNamed = named.contains {
        $0.ms >= ms && $0.ms <= ms + 10_000 && $0.rules.contains(rule)
      }
      #expect(isNamed, "\(trouble.kind) at \((ms - replay.startMs) / 1000) s")
    }
    #expect(checked >= 10)
    for trouble in replay.board.report.open {
      #expect(trouble.answer.next != nil && !trouble.answer.sentence.isEmpty)
    }
  }

  @Test(
    "a bot that is well has no line in 30 minutes",
    arguments: [DemoScenario.story, .quiet, .parked, .voice], [1, 2] as [UInt64])
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
