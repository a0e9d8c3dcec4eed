import Testing

@testable import CockpitAnswers

/// The latch against a plain record of what was said.
@Suite struct AlarmLatchTests {
  static func alarm(
    _ rule: String, subject: String? = nil, sinceMs: Int64 = 0, level: TriageLevel = .warning,
    isLive: Bool = true, mayBeOlder: Bool = false
  ) -> Alarm {
    Alarm(
      TriageTrouble(
        id: .init(rule: rule, subject: subject), level: level, word: "x", sinceMs: sinceMs,
        mayBeOlder: mayBeOlder, count: 1,
        answer: Answer("\(rule) is wrong.", state: .observed, coverage: .init(isComplete: true)),
        recovery: "\(rule) is well."), isLive: isLive)
  }

  private struct Rig {
    var latch = AlarmLatch()
    var silences = AlarmSilences()
    var limits = AlarmLatch.Limits()
    var nowMs: Int64 = 1_000_000
    var said: [String] = []

    mutating func step(
      _ alarms: [Alarm], seconds: Int64 = 1, coveredFromMs: Int64? = 0
    ) {
      nowMs += seconds * 1000
      for event in latch.step(
        alarms, silences: silences, limits: limits, coveredFromMs: coveredFromMs, nowMs: nowMs)
      {
        switch event {
        case .began(let alarm, _, let held):
          said.append("began \(alarm.key)" + (held > 0 ? " +\(held)" : ""))
        case .over(let entry, _): said.append("over \(entry.key)")
        case .limited(let count): said.append("limited \(count)")
        }
      }
    }

    /// What a file keeps.
    mutating func restart() {
      latch = AlarmLatch(
        entries: Array(latch.entries.values), saidMs: latch.saidMs, lastOfRule: latch.lastOfRule,
        heldBack: latch.heldBack)
    }
  }

  @Test("an alarm is said once, and once that it is over, a minute after it was last seen")
  func once() {
    var rig = Rig()
    for _ in 0..<600 { rig.step([Self.alarm("models")]) }
    #expect(rig.said == ["began models"])
    for _ in 0..<59 { rig.step([]) }
    #expect(rig.said == ["began models"])
    for _ in 0..<60 { rig.step([]) }
    #expect(rig.said == ["began models", "over models"])
  }

  @Test("one that is gone for less than a minute is the same")
  func hysteresis() {
    var rig = Rig()
    for second in 0..<3600 { rig.step(second % 50 < 10 ? [Self.alarm("models")] : []) }
    #expect(rig.said == ["began models"])
  }

  @Test("a restart at any step repeats none")
  func restart() {
    for cut in 0..<30 {
      var rig = Rig()
      for second in 0..<30 {
        if second == cut { rig.restart() }
        rig.step(second >= 5 ? [Self.alarm("models", sinceMs: 1_004_000)] : [])
      }
      #expect(rig.said == ["began models"], "cut \(cut)")
    }
  }

  @Test("what history alone tells is not said, and is once a row comes live")
  func history() {
    var rig = Rig()
    for _ in 0..<100 { rig.step([Self.alarm("models", isLive: false)]) }
    #expect(rig.said == [])
    rig.step([Self.alarm("models")])
    #expect(rig.said == ["began models"])
  }

  @Test("after a restart a later onset is another alarm, unless rows in between may be missing")
  func another() {
    var rig = Rig()
    rig.step([Self.alarm("models", sinceMs: 900_000)])
    rig.restart()
    rig.nowMs += 3_600_000
    var copy = rig
    let later = Self.alarm("models", sinceMs: rig.nowMs - 60_000)
    rig.step([later], coveredFromMs: 0)
    #expect(rig.said == ["began models", "over models", "began models"])
    copy.step([later], coveredFromMs: copy.nowMs - 120_000)
    #expect(copy.said.first == "began models" && copy.said.count == 1)
  }

  @Test("our own connection must be lost for half a minute")
  func connection() {
    var rig = Rig()
    for _ in 0..<25 { rig.step([Self.alarm("connection")]) }
    for _ in 0..<100 { rig.step([]) }
    #expect(rig.said == [])
    for _ in 0..<40 { rig.step([Self.alarm("connection", sinceMs: rig.nowMs)]) }
    #expect(rig.said == ["began connection"])
  }

  @Test("a rule says one in five minutes; what is held back is said when it may, with its number")
  func perRule() {
    var rig = Rig()
    let many = (0..<4).map { Self.alarm("mcp", subject: "\($0)") }
    rig.step(many)
    #expect(rig.said == ["began mcp/0", "limited 3"])
    for _ in 0..<299 { rig.step(many) }
    #expect(rig.said.count == 2)
    for _ in 0..<700 { rig.step(many) }
    #expect(rig.said.contains("began mcp/1 +2") && rig.said.contains("began mcp/2 +1"))
    for _ in 0..<300 { rig.step(many) }
    #expect(rig.said.last == "began mcp/3")
  }

  @Test("twenty in an hour, and no more, of a thousand subjects of forty rules")
  func perHour() {
    var rig = Rig()
    for second in 0..<3590 {
      rig.step([Self.alarm("r\(second % 40)", subject: "\(second)")])
    }
    #expect(rig.said.count { $0.hasPrefix("began") } == 20)
    #expect(rig.said.count { $0.hasPrefix("limited") } >= 1)
    #expect(rig.latch.entries.count <= 200)
  }

  @Test("muted, snoozed and acknowledged alarms are not said; afterwards the ones that last are")
  func silences() {
    var rig = Rig()
    rig.silences.muted = ["models"]
    rig.silences.snoozedUntilMs = ["search": rig.nowMs + 60_000]
    let alarms = [Self.alarm("models"), Self.alarm("search"), Self.alarm("mcp", sinceMs: 10)]
    rig.silences.acknowledge(alarms[2].trouble, nowMs: rig.nowMs)
    for _ in 0..<59 { rig.step(alarms) }
    #expect(rig.said == [])
    for _ in 0..<10 { rig.step(alarms) }
    #expect(rig.said == ["began search"])
    rig.silences.muted = []
    rig.step(alarms)
    #expect(rig.said == ["began search", "began models"])
    // The next occurrence of what was acknowledged is another one.
    for _ in 0..<70 { rig.step([]) }
    rig.said = []
    rig.step([Self.alarm("mcp", sinceMs: rig.nowMs)])
    #expect(rig.said == ["began mcp"])
  }

  @Test("what is milder than asked for is no alarm")
  func level() {
    var rig = Rig()
    rig.step([Self.alarm("errors", level: .info)])
    #expect(rig.said == [] && rig.latch.entries.isEmpty)
  }

  @Test("a clock that is set back makes nothing wait")
  func clockSetBack() {
    var rig = Rig()
    rig.step([Self.alarm("models")])
    rig.nowMs -= 500_000
    for _ in 0..<70 { rig.step([]) }
    #expect(rig.said == ["began models", "over models"])
    rig.step([Self.alarm("models", sinceMs: rig.nowMs)])
    #expect(rig.said.last == "began models")
  }

  @Test(
    "whatever comes and goes, with restarts: began and over take turns, and nothing is said of what was not there",
    arguments: 1...60 as ClosedRange<UInt64>)
  func property(seed: UInt64) {
    var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    var rig = Rig()
    rig.limits.perRuleMs = [0, 60_000, 300_000].randomElement(using: &random) ?? 0
    rig.limits.perHour = Int.random(in: 1...40, using: &random)
    let keys = ["a", "b", "c/1", "c/2", "d"]
    var open: Set<String> = []
    var everSeen: Set<String> = []
    var onset: [String: Int64] = [:]
    var hourly: [Int64] = []
    for _ in 0..<3000 {
      for key in keys where Int.random(in: 0..<40, using: &random) == 0 {
        if open.remove(key) == nil {
          open.insert(key)
          onset[key] = rig.nowMs
        }
      }
      if Int.random(in: 0..<100, using: &random) == 0 {
        let rule = keys.randomElement(using: &random).map { String($0.prefix(1)) } ?? "a"
        if rig.silences.muted.remove(rule) == nil { rig.silences.muted.insert(rule) }
      }
      let alarms = open.sorted().map { key in
        Self.alarm(
          String(key.prefix(1)), subject: key.count > 1 ? String(key.last ?? "1") : nil,
          sinceMs: onset[key] ?? 0, isLive: Bool.random(using: &random))
      }
      everSeen.formUnion(open)
      let before = rig.said.count
      rig.step(
        alarms, seconds: Int64.random(in: 1...20, using: &random),
        coveredFromMs: Bool.random(using: &random) ? 0 : nil)
      for line in rig.said[before...] where line.hasPrefix("began") {
        hourly = hourly.filter { rig.nowMs - $0 < 3_600_000 } + [rig.nowMs]
        #expect(hourly.count <= rig.limits.perHour)
        let key = line.split(separator: " ")[1]
        #expect(open.contains(String(key)), "\(key) is not there")
        #expect(!rig.silences.muted.contains(String(key.prefix(1))), "\(key) is muted")
      }
      if Int.random(in: 0..<50, using: &random) == 0 { rig.restart() }
    }
    for key in keys {
      let lines = rig.said.filter { $0.split(separator: " ")[1] == key }
      for (index, line) in lines.enumerated() {
        #expect(line.hasPrefix(index % 2 == 0 ? "began" : "over"), "\(key): \(lines)")
      }
      if !lines.isEmpty { #expect(everSeen.contains(key)) }
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
}
