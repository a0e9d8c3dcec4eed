import Testing

@testable import CockpitStores

@Suite struct AttentionEngineTests {
  private static let startMs: Int64 = 1_800_000_000_000

  private struct Rig {
    var engine: AttentionEngine
    var nowMs = startMs

    init(_ change: (inout AttentionRules) -> Void = { _ in }) {
      var rules = AttentionRules()
      change(&rules)
      engine = AttentionEngine(rules: rules)
    }

    mutating func step(
      _ waiting: [AttentionSignal] = [], _ happened: [AttentionSignal] = [], after ms: Int64 = 0,
      minute: Int = 720, isFocused: Bool = true, isSeen: Bool = false
    ) -> AlertPolicy.Outcome {
      nowMs += ms
      return engine.step(
        waiting: waiting, happened: happened,
        at: AttentionEngine.Moment(
          nowMs: nowMs, minuteOfDay: minute, isFocused: isFocused, isSeen: isSeen))
    }

    var state: AttentionState { engine.state }
  }

  private func waits(
    _ id: String = "a", _ level: AttentionLevel = .interrupt, isPast: Bool = false
  ) -> AttentionSignal {
    AttentionSignal(
      id: id, level: level, title: "a command waits", detail: id, atMs: Self.startMs,
      isPast: isPast)
  }

  private func event(
    _ level: AttentionLevel, atMs: Int64 = startMs, isPast: Bool = false
  ) -> AttentionSignal {
    AttentionSignal(id: "", level: level, title: "\(level)", atMs: atMs, isPast: isPast)
  }

  @Test("what waits rings once, has a card, and is over without a word")
  func waiting() {
    var rig = Rig()
    #expect(rig.step([waits()]).rings)
    #expect(rig.state.level == .interrupt && rig.state.cards == ["a"] && rig.state.hasStrip)
    #expect(rig.step([waits()], after: 600_000) == AlertPolicy.Outcome())
    #expect(rig.state.level == .interrupt, "what waits does not fade")
    #expect(rig.step([], after: 1) == AlertPolicy.Outcome())
    #expect(rig.state == AttentionState())
  }

  @Test("a level that rises is told once more; one that falls and returns is not")
  func rising() {
    var rig = Rig()
    _ = rig.step([waits()])
    let urgent = rig.step([waits("a", .urgent)], after: 5_000)
    #expect(urgent.rings && urgent.flashes && urgent.notification?.title == "a command waits")
    #expect(rig.step([waits("a", .passive)], after: 20_000) == AlertPolicy.Outcome())
    #expect(rig.state.level == .passive)
    #expect(rig.step([waits("a", .urgent)], after: 20_000) == AlertPolicy.Outcome())
    #expect(rig.state.level == .urgent)
  }

  @Test("what was seen has neither card nor strip until its level rises")
  func seen() {
    var rig = Rig()
    _ = rig.step([waits()], [event(.notify)])
    _ = rig.step([waits()], isSeen: true)
    #expect(rig.state == AttentionState())
    _ = rig.step([waits(), waits("b")], after: 5_000)
    #expect(rig.state.cards == ["b"])
    #expect(rig.step([waits("b"), waits("a", .urgent)], after: 5_000).rings)
    #expect(rig.state.cards == ["a", "b"] && rig.state.level == .urgent)
  }

  @Test("the level of an event falls by one each time, and another event renews it")
  func decay() {
    var rig = Rig()
    _ = rig.step([], [event(.active)])
    var levels: [AttentionLevel] = []
    for _ in 0..<5 {
      levels.append(rig.state.level)
      _ = rig.step(after: 30_000)
    }
    #expect(levels == [.active, .active, .notify, .notify, .passive])
    #expect(rig.state.event == nil)
    _ = rig.step([], [event(.active, atMs: rig.nowMs)])
    _ = rig.step(after: 61_000)
    #expect(rig.state.level == .notify && rig.state.event?.level == .notify)
    _ = rig.step([], [event(.active, atMs: rig.nowMs)])
    #expect(rig.state.level == .active)
    // A clock that is set back lets it fall nonetheless.
    _ = rig.step(after: -3_600_000)
    _ = rig.step(after: 120_000)
    #expect(rig.state.level == .passive)
  }

  @Test(
    "what was listed has a card and makes no noise; what was filled in, replayed or is old has nothing"
  )
  func past() {
    var rig = Rig()
    #expect(rig.step([waits("a", .urgent, isPast: true)]) == AlertPolicy.Outcome())
    #expect(rig.state.cards == ["a"])
    let old = rig.step(
      [], [event(.urgent, isPast: true), event(.urgent, atMs: Self.startMs - 60_001)])
    #expect(old == AlertPolicy.Outcome() && rig.state == AttentionState())
  }

  @Test("a notification comes without the focus, and in any case for what is urgent")
  func focus() {
    for level in [AttentionLevel.interrupt, .urgent] {
      for isFocused in [true, false] {
        var rig = Rig { $0.effects[.interrupt] = [.notify] }
        let outcome = rig.step([waits("a", level)], isFocused: isFocused)
        #expect((outcome.notification != nil) == (level == .urgent || !isFocused))
      }
    }
  }

  @Test("[alerts] adds to a level and takes nothing from it")
  func alerts() {
    var signal = event(.notify)
    signal.alertClass = .error
    var rig = Rig { $0.alerts = AlertRules(floors: [.bell: "error"], classes: [:]) }
    #expect(rig.step([], [signal]).rings)
    var quiet = Rig()
    #expect(!quiet.step([], [signal]).rings && quiet.state.level == .notify)
  }

  @Test("quiet hours, over midnight too", arguments: [0, 419, 420, 600, 1_319, 1_320, 1_439])
  func hours(minute: Int) {
    let isNight = minute < 420 || minute >= 1_320
    #expect(QuietHours.daily(from: 1_320, to: 420).holds(minuteOfDay: minute) == isNight)
    #expect(QuietHours.daily(from: 420, to: 1_320).holds(minuteOfDay: minute) != isNight)
    #expect(QuietHours.always.holds(minuteOfDay: minute))
  }

  @Test("the next notification says how many were held back")
  func held() {
    var rig = Rig { $0.effects[.interrupt] = [.notify] }
    #expect(rig.step([waits("a")], isFocused: false).notification?.held == 0)
    #expect(rig.step([waits("b"), waits("c")], after: 1_000, isFocused: false).notification == nil)
    let next = rig.step([waits("d")], after: 9_000, isFocused: false)
    #expect(next.notification?.held == 2 && next.notification?.text == "d")
  }
}

/// What holds for every sequence of events.
@Suite struct AttentionPropertyTests {
  /// A reproducible sequence of numbers (SplitMix64).
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private struct Step {
    var nowMs: Int64
    var state: AttentionState
    var outcome: AlertPolicy.Outcome
    var isQuiet: Bool
  }

  /// Signals come, rise and go at random; every effect is possible at every level.
  private func run(
    _ seed: UInt64, isPast: Bool = false, maximum: AttentionLevel = .urgent,
    quiet: QuietHours? = nil
  ) -> [Step] {
    var random = Numbers(state: seed)
    var rules = AttentionRules()
    rules.maximum = maximum
    rules.quiet = quiet
    for level in AttentionLevel.allCases {
      rules.effects[level] = Set(AttentionEffect.allCases.filter { _ in random.next() % 2 == 0 })
    }
    var engine = AttentionEngine(rules: rules)
    var nowMs: Int64 = 1_800_000_000_000
    var waiting: [AttentionSignal] = []
    func level() -> AttentionLevel { AttentionLevel.allCases.randomElement(using: &random)! }
    return (0..<300).map { number in
      nowMs += Int64.random(in: 0...4_000, using: &random)
      waiting.removeAll { _ in random.next() % 5 == 0 }
      for index in waiting.indices where !isPast && random.next() % 4 == 0 {
        waiting[index].level = level()
      }
      if random.next() % 2 == 0 {
        waiting.append(
          AttentionSignal(
            id: "\(number)", level: level(), title: "t", atMs: nowMs, isPast: isPast))
      }
      let happened = (0..<random.next() % 3).map { _ in
        AttentionSignal(id: "", level: level(), title: "t", atMs: nowMs, isPast: isPast)
      }
      let minute = Int(nowMs / 60_000 % 1_440)
      let outcome = engine.step(
        waiting: waiting, happened: happened,
        at: AttentionEngine.Moment(
          nowMs: nowMs, minuteOfDay: minute, isFocused: random.next() % 2 == 0,
          isSeen: random.next() % 8 == 0))
      return Step(
        nowMs: nowMs, state: engine.state, outcome: outcome,
        isQuiet: quiet?.holds(minuteOfDay: minute) ?? false)
    }
  }

  @Test("bells and notifications keep their distance", arguments: 0..<40)
  func rate(seed: UInt64) {
    let steps = run(seed)
    let bells = steps.filter { $0.outcome.rings || $0.outcome.flashes }.map(\.nowMs)
    let notifications = steps.filter { $0.outcome.notification != nil }.map(\.nowMs)
    #expect(zip(bells, bells.dropFirst()).allSatisfy { $1 - $0 >= AttentionRules.bellMs })
    #expect(
      zip(notifications, notifications.dropFirst()).allSatisfy {
        $1 - $0 >= AttentionRules().notificationMs
      })
  }

  @Test("what was filled in or replayed never makes a noise", arguments: 0..<40)
  func past(seed: UInt64) {
    let steps = run(seed, isPast: true)
    #expect(steps.allSatisfy { $0.outcome == AlertPolicy.Outcome() && $0.state.event == nil })
  }

  @Test("no level is above the cap", arguments: AttentionLevel.allCases)
  func cap(maximum: AttentionLevel) {
    for seed in 0..<20 {
      let steps = run(UInt64(seed), maximum: maximum)
      #expect(steps.allSatisfy { $0.state.level <= maximum })
      if maximum > .passive { #expect(steps.contains { $0.state.level == maximum }) }
    }
  }

  @Test("quiet hours change what is heard and nothing of what is shown", arguments: 0..<40)
  func quiet(seed: UInt64) {
    // The run takes 10 minutes; half of them are quiet.
    let start = Int(Int64(1_800_000_000_000) / 60_000 % 1_440)
    let quiet = run(seed, quiet: .daily(from: (start + 5) % 1_440, to: (start + 15) % 1_440))
    let loud = run(seed)
    #expect(quiet.contains(where: \.isQuiet) && !quiet.allSatisfy(\.isQuiet))
    for (quiet, loud) in zip(quiet, loud) {
      #expect(!quiet.isQuiet || quiet.outcome == AlertPolicy.Outcome())
      #expect(quiet.state.level == loud.state.level && quiet.state.cards == loud.state.cards)
      #expect(quiet.state.hasStrip == loud.state.hasStrip)
    }
  }
}
