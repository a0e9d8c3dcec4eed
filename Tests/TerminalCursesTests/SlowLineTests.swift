import TerminalCore
import TerminalCurses
import Testing

@Suite struct SlowLineTests {
  private func second(_ number: Double) -> UInt64 { UInt64(number * 1e9) }

  @Test("one stall is a stopped terminal, three within ten seconds are a slow line")
  func enters() {
    var line = SlowLineDetector()
    line.stalled(ms: 60_000, nowNs: second(60))
    #expect(!line.isSlow)
    line.stalled(ms: 150, nowNs: second(80))
    line.stalled(ms: 150, nowNs: second(85))
    line.stalled(ms: 99, nowNs: second(86))
    #expect(!line.isSlow)
    line.stalled(ms: 150, nowNs: second(89))
    #expect(line.isSlow)
  }

  @Test("two answers half a second later than the quickest are a slow line, a far terminal is not")
  func answers() {
    var far = SlowLineDetector()
    for time in 1...10 { far.answered(afterMs: 800, nowNs: second(Double(time) * 3)) }
    #expect(!far.isSlow)
    var line = SlowLineDetector()
    line.answered(afterMs: 40, nowNs: second(1))
    line.answered(afterMs: 700, nowNs: second(4))
    #expect(!line.isSlow)
    line.answered(afterMs: 60, nowNs: second(7))
    line.answered(afterMs: 900, nowNs: second(10))
    #expect(line.isSlow)
    line.answered(afterMs: 40, nowNs: second(29))
    line.tick(nowNs: second(30.5))
    #expect(!line.isSlow)
  }

  @Test("stalls that go on raise the level, and calm takes it back")
  func levels() {
    var line = SlowLineDetector()
    for time in [1.0, 2, 3] { line.stalled(ms: 200, nowNs: second(time)) }
    #expect(line.isSlow && line.level == 0)
    line.stalled(ms: 200, nowNs: second(5))
    #expect(line.level == 0)
    for time in [8.0, 9, 13, 18, 23, 28] { line.stalled(ms: 200, nowNs: second(time)) }
    #expect(line.level == 3)
    line.tick(nowNs: second(49))
    #expect(!line.isSlow && line.level == 0)
  }

  @Test("twenty quiet seconds end it; when it is slow again soon, forty have to pass")
  func leaves() {
    var line = SlowLineDetector()
    for time in [1.0, 2, 3] { line.stalled(ms: 200, nowNs: second(time)) }
    line.tick(nowNs: second(22))
    #expect(line.isSlow)
    line.stalled(ms: 200, nowNs: second(22))
    line.tick(nowNs: second(41))
    #expect(line.isSlow)
    line.tick(nowNs: second(42.5))
    #expect(!line.isSlow)
    for time in [50.0, 51, 52] { line.stalled(ms: 200, nowNs: second(time)) }
    #expect(line.isSlow)
    line.tick(nowNs: second(90))
    #expect(line.isSlow)
    line.tick(nowNs: second(93))
    #expect(!line.isSlow)
    // Much later it is a new story.
    for time in [500.0, 501, 502] { line.stalled(ms: 200, nowNs: second(time)) }
    line.tick(nowNs: second(523))
    #expect(!line.isSlow)
  }
}

@Suite struct NotificationRouteTests {
  @Test(
    "each terminal gets the sequence it knows",
    arguments: [
      (["TERM": "xterm-kitty"], .osc99),
      (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], .osc99),
      (["TERM_PROGRAM": "iTerm.app"], .osc9), (["LC_TERMINAL": "iTerm2"], .osc9),
      (["TERM_PROGRAM": "WezTerm"], .osc9), (["TERM": "xterm-ghostty"], .osc9),
      (["TERM_PROGRAM": "tmux", "WEZTERM_PANE": "0"], .osc9),
      (["TERM": "foot"], .osc777), (["TERM": "xterm-256color", "VTE_VERSION": "7600"], .osc777),
      (["TERM": "rxvt-unicode-256color"], .osc777), (["TERM": "xterm-256color"], nil), ([:], nil),
    ] as [([String: String], NotificationRoute?)])
  func known(environment: [String: String], route: NotificationRoute?) {
    #expect(NotificationRoute(environment: environment) == route)
  }
}
