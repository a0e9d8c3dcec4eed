import Foundation

extension Bench {
  /// A cockpit with an empty backend and one with a full, silent channel: the same tab, at the same
  /// time. Their ratio is the cost of the large voice state.
  func measureParked() throws {
    let quiet = try DemoProcess(cockpit: backend, scenario: "quiet")
    let parked = try DemoProcess(cockpit: backend, scenario: "parked")
    let seconds = min(20, effort.window)
    let windowCount = min(3, effort.windows)
    for tab in ["pulse", "voice"] {
      let screens = [
        try openCockpit(quiet, arguments: ["--tab", tab]),
        try openCockpit(parked, arguments: ["--tab", tab]),
      ]
      Screen.serve(screens, seconds: effort.settle)
      guard Self.isCockpitComplete(screens[1]) else {
        throw BenchmarkError("the cockpit shows no complete frame:\n\(screens[1].text)")
      }
      let windows = (0..<windowCount).map { _ in Window.watch(screens, seconds: seconds) }
      report.begin(
        "A parked voice session of 12, \(tab.uppercased()) open, 120x40, \(windowCount) windows "
          + "of \(Int(seconds)) s side by side")
      for (index, name) in ["quiet backend", "parked session"].enumerated() {
        parkedRows(name, windows.map { $0[index] })
      }
      let ratio = Spread(windows.map { $0[1].cpuPercent / $0[0].cpuPercent })
      report.add(
        "CPU, parked against quiet", target: "<= 2.0", figure: ratio.text("x"),
        isMet: ratio.median <= 2)
    }
  }

  private func parkedRows(_ name: String, _ windows: [Window]) {
    // A hundredth of a second of CPU per second is one percent: 3 s hold 30 ms of it.
    let cpu = Spread(windows.map { $0.cpuPercent * 30 })
    report.add("\(name): CPU per 3 s", figure: cpu.text("ms"))
    report.add(
      "\(name): wake-ups per second",
      figure: Spread(windows.map(\.wakeUpsPerSecond)).text(digits: 1))
    report.add(
      "\(name): bytes per 3 s",
      figure: Spread(windows.map { $0.bytesPerSecond * 3 }).text(digits: 0))
  }
}
