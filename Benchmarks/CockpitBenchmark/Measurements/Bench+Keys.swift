import Foundation

extension Bench {
  /// From a key to the first byte of the answer, and from `?` to the help on the screen.
  func measureKeys() throws {
    report.begin("Key to paint, \(effort.keys) keys each")
    let quiet = try DemoProcess(cockpit: backend, scenario: "quiet")
    let own = try openCockpit(quiet)
    let other = try openHtop()
    let floor = try Screen("/bin/cat", home: folder)
    Screen.serve([own, floor] + (other.map { [$0] } ?? []), seconds: 3)
    let echo = arrows(floor)
    let idle = arrows(own)
    let htop = other.map { arrows($0) }
    let help = helps(own)
    // Only now: beside a flood nothing is idle.
    let flood = try DemoProcess(cockpit: backend, scenario: "story", flood: 1000)
    let loaded = try openCockpit(flood)
    Screen.serve([loaded], seconds: 5)
    let busy = Window.watch([loaded], seconds: min(15, effort.window))[0]
    let helpLoaded = helps(loaded)

    report.add("echo of the terminal (floor)", figure: times(echo))
    report.add("cockpit, arrow key", figure: times(idle))
    if let htop {
      report.add("htop, arrow key", figure: times(htop))
      let ratio = idle.median / htop.median
      report.add(
        "cockpit against htop, median", target: "<= 1", figure: "\(number(ratio)) x",
        isMet: ratio <= 1)
    }
    report.add("cockpit, `?` until the help is on the screen", figure: times(help))
    report.add("same at 1,000 actions per second", figure: times(helpLoaded))
    let ratio = helpLoaded.median / help.median
    report.add(
      "loaded against idle, median", target: "<= 2", figure: "\(number(ratio)) x", isMet: ratio <= 2
    )
    report.begin("At 1,000 actions per second")
    report.add("CPU", figure: "\(number(busy.cpuPercent, 1)) %")
    report.add(
      "bytes per second to the terminal", target: "<= 30,000",
      figure: number(busy.bytesPerSecond, 0),
      isMet: busy.bytesPerSecond <= 30_000)
    report.add("wake-ups per second", figure: number(busy.wakeUpsPerSecond, 0))
  }

  private func times(_ spread: Spread) -> String {
    "median \(number(spread.median)) ms, p95 \(number(spread.p95)) ms"
  }

  /// Down and up in turn, at uneven distances so that no timer keeps step with them.
  private func arrows(_ screen: Screen) -> Spread {
    var result: [Double] = []
    for index in 0..<effort.keys {
      Screen.serve([screen], seconds: 0.12 + Double(index * 37 % 97) / 1000)
      let before = screen.byteCount
      let start = nowNs()
      screen.send(index % 2 == 0 ? "\u{1B}[B" : "\u{1B}[A")
      if Screen.serve([screen], seconds: 2, until: { screen.byteCount > before }) {
        result.append(Double(screen.lastByteNs - start) / 1e6)
      }
    }
    return Spread(result)
  }

  private func helps(_ screen: Screen) -> Spread {
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
    return Spread(result)
  }

  /// A text that only the help shows.
  private static let helpMark = "close this level"

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

  /// What is installed.
  func measureBinary() throws {
    report.begin("Program file")
    let size = { (path: String) in
      ((try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int) ?? 0
    }
    report.add("as built", figure: "\(number(Double(size(cockpit)) / 1e6, 1)) MB")
    guard let strip = Child.find("strip") else { return }
    let stripped = "\(folder)/stripped"
    defer { unlink(stripped) }
    _ = try Child.run(strip, ["-o", stripped, cockpit])
    report.add("stripped", figure: "\(number(Double(size(stripped)) / 1e6, 1)) MB")
  }
}
