import Foundation

extension Bench {
  /// Cockpits that are left alone, htop and btop, all at the same time.
  func measureIdle() throws {
    let quiet = try DemoProcess(cockpit: backend, scenario: "quiet")
    let voice = try DemoProcess(cockpit: backend, scenario: "voice")
    let rows = try BackendProcess(itself)
    var names = ["quiet backend", "two voice sessions", Self.rowsName]
    var screens = [try openCockpit(quiet), try openCockpit(voice), try openCockpit(rows)]
    try rows.tell(perSecond: 1 / 1.5)
    for (name, screen) in [(Self.htopName, try openHtop()), (Self.btopName, try openBtop())] {
      guard let screen else { continue }
      names.append(name)
      screens.append(screen)
    }
    Screen.serve(screens, seconds: effort.settle)
    for screen in screens.prefix(3) where !Self.isCockpitComplete(screen) {
      throw BenchmarkError("the cockpit shows no complete frame:\n\(screen.text)")
    }
    report.begin(
      "Left alone, 120x40, \(effort.windows) windows of \(Int(effort.window)) s side by side")
    let taken = (0..<effort.windows).map { _ in Window.watch(screens, seconds: effort.window) }
    let windows = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { index, name in (name, taken.map { $0[index] })
      }
    )
    for (name, screen) in zip(names, screens) {
      figures(name, windows[name] ?? [], resident: ProcessFigures.residentBytes(screen.processID))
    }
    compare(windows)
    try measureFresh()
  }

  private static let rowsName = "a row every 1.5 s"
  private static let htopName = "`htop -d 30`"
  private static let btopName = "btop, `update_ms = 3000`"

  private func figures(_ name: String, _ windows: [Window], resident: Int?) {
    report.add("\(name): CPU", figure: Spread(windows.map(\.cpuPercent)).text("%", digits: 3))
    report.add(
      "\(name): wake-ups per second",
      figure: Spread(windows.map(\.wakeUpsPerSecond)).text(digits: 1))
    report.add(
      "\(name): bytes per 3 s",
      figure: Spread(windows.map { $0.bytesPerSecond * 3 }).text(digits: 0)
    )
    guard let resident else { return }
    report.add("\(name): resident", figure: "\(number(Double(resident) / 1e6, 1)) MB")
  }

  /// T9, T10 and T13, window by window.
  private func compare(_ windows: [String: [Window]]) {
    let quiet = windows["quiet backend"] ?? []
    let withRows = windows[Self.rowsName] ?? []
    report.measured(.wakeUps, Spread(quiet.map(\.wakeUpsPerSecond)))
    report.measured(.rowBytes, Spread(withRows.map { $0.bytesPerSecond * 1.5 }))
    for (name, others) in [("htop", windows[Self.htopName]), ("btop", windows[Self.btopName])] {
      guard let others else { continue }
      report.compared(
        "bytes, a row every 1.5 s, against \(name)",
        Spread(zip(withRows, others).map { $0.bytesPerSecond / $1.bytesPerSecond }), digits: 3)
    }
    if let htop = windows[Self.htopName] {
      report.measured(.idleCPU, Spread(zip(quiet, htop).map { $0.cpuPercent / $1.cpuPercent }))
    } else {
      report.missing(.idleCPU, "htop is not installed")
    }
  }

  /// T12: freshly started ones, in turns.
  private func measureFresh() throws {
    guard lnav != nil else { return report.missing(.fresh, "lnav is not installed") }
    let quiet = try DemoProcess(cockpit: backend, scenario: "quiet")
    var (starting, own, other) = ([Double](), [Double](), [Double]())
    for _ in 0..<effort.pairs {
      let cockpit = try openCockpit(quiet)
      guard let lnav = try openLnav() else { return }
      Screen.serve([cockpit, lnav], seconds: 1)
      starting.append(Double(ProcessFigures.residentBytes(cockpit.processID) ?? 0))
      // By then it has released the memory of the start, and drawn again.
      Screen.serve([cockpit, lnav], seconds: 7)
      own.append(Double(ProcessFigures.residentBytes(cockpit.processID) ?? 0))
      other.append(Double(ProcessFigures.residentBytes(lnav.processID) ?? 0))
    }
    report.add(
      "1 s after the start: resident",
      figure: Spread(starting.map { $0 / 1e6 }).text("MB", digits: 1))
    report.add(
      "freshly started: resident", figure: Spread(own.map { $0 / 1e6 }).text("MB", digits: 1))
    report.add(
      "lnav on 220 actions: resident", figure: Spread(other.map { $0 / 1e6 }).text("MB", digits: 1))
    report.measured(
      .fresh, Spread(zip(own, other).map { $0 / $1 }), note: "textual is not installed")
  }
}
