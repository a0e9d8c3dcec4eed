import Foundation

extension Bench {
  /// T15 and T16: from a key to the first byte of the answer, and from `?` to the help.
  func measureKeys() throws {
    try measureArrows()
    try measureLoadedArrows()
    try measureHelp()
  }

  /// Arrow keys, one to each program in turn, so that all of them see the same machine.
  private func measureArrows() throws {
    let quiet = try DemoProcess(cockpit: backend, scenario: "quiet")
    var programs: [(name: String, screen: Screen)] = [
      ("cockpit", try openCockpit(quiet)),
      ("echo of the terminal (floor)", try Screen("/bin/cat", home: folder)),
    ]
    if let htop = try openHtop() { programs.append(("htop", htop)) }
    if let lnav = try openLnav() { programs.append(("lnav", lnav)) }
    let screens = programs.map(\.screen)
    Screen.serve(screens, seconds: 4)
    // Away from the top: lnav flashes there, at once and instead of an answer.
    for screen in screens {
      for _ in 0..<6 {
        screen.send(.down)
        Screen.serve(screens, seconds: 0.15)
      }
    }
    Screen.serve(screens, seconds: 1)
    report.begin("Key to first byte, \(effort.rounds) rounds of \(effort.keys) arrow keys each")
    var medians = [[Double]](repeating: [], count: programs.count)
    var all = medians
    for _ in 0..<effort.rounds {
      var round = [[Double]](repeating: [], count: programs.count)
      for key in 0..<effort.keys {
        for turn in programs.indices {
          // Alternate the order: each program runs with the caches left by the previous one, and
          // lnav works for long after its answer.
          let count = programs.count
          let index = key / 2 % 2 == 0 ? turn : (count - turn) % count
          // Uneven distances, so that no timer keeps step with them.
          let pause = 0.04 + Double((key * 4 + turn) * 37 % 97) / 1000
          if let ms = firstByte(
            of: screens[index], key % 2 == 0 ? .up : .down, after: pause, screens)
          {
            round[index].append(ms)
          }
        }
      }
      for index in programs.indices {
        all[index] += round[index]
        medians[index].append(Spread(round[index]).median)
      }
    }
    for (index, program) in programs.enumerated() {
      report.add(program.name, figure: times(Spread(all[index])))
    }
    func ratios(to name: String) -> Spread? {
      programs.firstIndex { $0.name == name }.map { index in
        Spread(zip(medians[0], medians[index]).map { $0 / $1 })
      }
    }
    if let lnav = ratios(to: "lnav") { report.compared("against lnav", lnav) }
    if let htop = ratios(to: "htop") {
      report.measured(.keyHtop, htop)
    } else {
      report.missing(.keyHtop, "htop is not installed")
    }
  }

  /// The same while 1,000 actions come every second, again with htop in turns.
  private func measureLoadedArrows() throws {
    guard let htop = try openHtop() else {
      report.missing(.keyLoaded, "htop, which it is measured beside, is not installed")
      return
    }
    let backend = try BackendProcess(itself)
    let cockpit = try openCockpit(backend)
    let screens = [cockpit, htop]
    Screen.serve(screens, seconds: 4)
    try backend.tell(perSecond: 1000)
    for screen in screens {
      for _ in 0..<6 {
        screen.send(.down)
        Screen.serve(screens, seconds: 0.15)
      }
    }
    report.begin("The same at 1,000 actions per second")
    var all = [[Double]](repeating: [], count: screens.count)
    var ratios: [Double] = []
    for _ in 0..<effort.rounds {
      var round = all.map { _ in [Double]() }
      // Enough for a 99th percentile.
      for key in 0..<3 * effort.keys {
        for (index, screen) in screens.enumerated() {
          let pause = 0.04 + Double((key * 4 + index) * 37 % 97) / 1000
          Screen.serve(screens, seconds: pause)
          // Between two frames of the stream, so that the first byte is the key's.
          var count = -1
          while count != screen.byteCount {
            count = screen.byteCount
            Screen.serve(screens, seconds: 0.003)
          }
          if let ms = firstByte(of: screen, key % 2 == 0 ? .up : .down, after: 0, screens) {
            round[index].append(ms)
          }
        }
      }
      for index in screens.indices { all[index] += round[index] }
      ratios.append(Spread(round[0]).median / Spread(round[1]).median)
    }
    report.add("cockpit", figure: times(Spread(all[0])))
    report.add("htop", figure: times(Spread(all[1])))
    report.compared("against htop", Spread(ratios))
    report.measured(.keyLoaded, Spread(all[0]).p99, note: "of \(all[0].count) keys")
  }

  private func firstByte(
    of screen: Screen, _ key: Screen.Arrow, after pause: Double, _ all: [Screen]
  ) -> Double? {
    Screen.serve(all, seconds: pause)
    let before = screen.byteCount
    let start = nowNs()
    screen.send(key)
    guard Screen.serve([screen], seconds: 2, until: { screen.byteCount > before }) else {
      return nil
    }
    return Double(screen.lastByteNs - start) / 1e6
  }

  /// Under load the first byte may belong to a frame of the stream; the help is an unambiguous
  /// answer. The same cockpit, alternating between a quiet and a busy backend.
  private func measureHelp() throws {
    let backend = try BackendProcess(itself)
    let screen = try openCockpit(backend)
    Screen.serve([screen], seconds: 4)
    report.begin("`?` until the help is on the screen, \(effort.rounds) rounds of \(effort.keys)")
    var (idle, loaded, ratios) = ([Double](), [Double](), [Double]())
    for _ in 0..<effort.rounds {
      try backend.tell(perSecond: 0)
      Screen.serve([screen], seconds: 1)
      let quiet = helps(screen)
      try backend.tell(perSecond: 1000)
      Screen.serve([screen], seconds: 1)
      let busy = helps(screen)
      idle += quiet
      loaded += busy
      ratios.append(Spread(busy).median / Spread(quiet).median)
    }
    report.add("idle", figure: times(Spread(idle)))
    report.add("at 1,000 actions per second", figure: times(Spread(loaded)))
    report.compared("at 1,000 events/s against idle", Spread(ratios))
  }

  private func times(_ spread: Spread) -> String {
    "median \(number(spread.median)) ms, p95 \(number(spread.p95)) ms"
  }

  private func helps(_ screen: Screen) -> [Double] {
    var result: [Double] = []
    for index in 0..<effort.keys {
      Screen.serve([screen], seconds: 0.12 + Double(index * 37 % 97) / 1000)
      let start = nowNs()
      screen.send("?")
      if Screen.serve([screen], seconds: 2, until: { screen.text.contains(Self.helpMark) }) {
        result.append(Double(screen.lastByteNs - start) / 1e6)
      }
      screen.send("q")
      Screen.serve([screen], seconds: 2, until: { !screen.text.contains(Self.helpMark) })
    }
    return result
  }

  /// A text that only the help shows.
  private static let helpMark = "type a word or a key"

  /// From `q` to the end of the process while twice a busy server's actions pour in.
  func measureQuit() throws {
    report.begin("Quit at 2,000 actions per second")
    let demo = try DemoProcess(cockpit: backend, scenario: "story", flood: 2000)
    var seconds: [Double] = []
    for _ in 0..<5 {
      let screen = try openCockpit(demo)
      Screen.serve([screen], seconds: 3)
      screen.send("q")
      guard let end = screen.end(seconds: 5) else {
        throw BenchmarkError("the cockpit did not quit within 5 s")
      }
      seconds.append(end * 1000)
    }
    let spread = Spread(seconds)
    report.add(
      "from the key to the end of the process", target: "< 200 ms",
      figure: spread.text("ms", digits: 0),
      isMet: spread.high < 200)
  }
}
