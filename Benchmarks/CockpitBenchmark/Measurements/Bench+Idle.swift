import Foundation

extension Bench {
  /// Cockpits that are left alone, and htop, all at the same time.
  func measureIdle() throws {
    let quiet = try DemoProcess(cockpit: backend, scenario: "quiet")
    let voice = try DemoProcess(cockpit: backend, scenario: "voice")
    var screens = [try openCockpit(quiet), try openCockpit(voice)]
    let other = try openHtop()
    if let other { screens.append(other) }
    Screen.serve(screens, seconds: effort.settle)
    guard Self.isCockpitComplete(screens[0]) else {
      throw BenchmarkError("the cockpit shows no complete frame:\n\(screens[0].text)")
    }
    let windows = (0..<effort.windows).map { _ in Window.watch(screens, seconds: effort.window) }
    let seconds = Int(effort.window)
    report.begin("Left alone, 120x40, \(effort.windows) windows of \(seconds) s side by side")
    idleRows("quiet backend", windows.map { ($0[0], other == nil ? nil : $0[2]) }, isQuiet: true)
    idleRows(
      "two voice sessions", windows.map { ($0[1], other == nil ? nil : $0[2]) }, isQuiet: false)
    if other != nil {
      let alone = windows.map { $0[2] }
      report.add("`htop -d 30`: CPU", figure: Spread(alone.map(\.cpuPercent)).text("%", digits: 3))
      report.add(
        "`htop -d 30`: wake-ups per second",
        figure: Spread(alone.map(\.wakeUpsPerSecond)).text(digits: 1))
      report.add(
        "`htop -d 30`: bytes per 3 s",
        figure: Spread(alone.map { $0.bytesPerSecond * 3 }).text(digits: 0))
    }
    for (name, screen) in zip(["quiet backend", "two voice sessions", "`htop -d 30`"], screens) {
      guard let resident = ProcessFigures.residentBytes(screen.processID) else { continue }
      report.add("\(name): resident", figure: "\(number(Double(resident) / 1e6, 1)) MB")
    }
  }

  private func idleRows(_ name: String, _ pairs: [(own: Window, other: Window?)], isQuiet: Bool) {
    let own = pairs.map(\.own)
    report.add("\(name): CPU", figure: Spread(own.map(\.cpuPercent)).text("%", digits: 3))
    let wakeUps = Spread(own.map(\.wakeUpsPerSecond))
    report.add(
      "\(name): wake-ups per second", target: isQuiet ? "<= 2" : "",
      figure: wakeUps.text(digits: 1), isMet: isQuiet ? wakeUps.median <= 2 : nil)
    report.add(
      "\(name): bytes per 3 s", figure: Spread(own.map { $0.bytesPerSecond * 3 }).text(digits: 0))
    let compared = pairs.compactMap { pair in pair.other.map { (pair.own, $0) } }
    guard !compared.isEmpty else { return }
    let cpu = Spread(compared.map { $0.cpuPercent / $1.cpuPercent })
    let bytes = Spread(compared.map { $0.bytesPerSecond / $1.bytesPerSecond })
    report.add(
      "\(name): CPU against htop", target: isQuiet ? "<= 0.10" : "",
      figure: cpu.text("x", digits: 3),
      isMet: isQuiet ? cpu.median <= 0.1 : nil)
    report.add(
      "\(name): bytes against htop", target: isQuiet ? "<= 0.20" : "",
      figure: bytes.text("x", digits: 3), isMet: isQuiet ? bytes.median <= 0.2 : nil)
  }
}
