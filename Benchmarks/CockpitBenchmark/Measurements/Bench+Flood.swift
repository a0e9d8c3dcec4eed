import Foundation

extension Bench {
  /// T17: a minute at 1,000 actions per second; then compares the screen's count with the number
  /// sent.
  func measureFlood() throws {
    report.begin("\(Int(effort.flood)) s at 1,000 actions per second, 120x40")
    let backend = try BackendProcess(itself)
    // All rows fit: a count of rows is then a count of events.
    let screen = try openCockpit(backend, arguments: ["--memory", "256MiB"])
    guard Screen.serve([screen], seconds: 20, until: { Self.isCockpitComplete(screen) }) else {
      throw BenchmarkError("the cockpit shows no complete frame:\n\(screen.text)")
    }
    try backend.tell(perSecond: 1000)
    let window = Window.watch([screen], seconds: effort.flood)[0]
    try backend.tell(perSecond: 0)
    let told = try backend.told()
    // Pending data arrives, and the last frame shows the sum.
    Screen.serve([screen], seconds: 20, until: { Self.rowsOnScreen(screen) == told.actions })
    guard let shown = Self.rowsOnScreen(screen) else {
      throw BenchmarkError("the screen does not say how many rows there are:\n\(screen.text)")
    }
    report.add("told by the backend", figure: "\(told.actions) actions")
    report.add("rows that the screen counts", figure: "\(shown)")
    report.add("CPU", figure: "\(number(window.cpuPercent, 1)) %")
    report.add("wake-ups per second", figure: number(window.wakeUpsPerSecond, 0))
    report.measured(.lost, abs(Double(told.actions - shown)), note: "of \(told.actions)")
    report.add("bytes per second to the terminal", figure: number(window.bytesPerSecond, 0))
  }

  /// The count in the title of the feed: `61,234 rows`.
  static func rowsOnScreen(_ screen: Screen) -> Int? {
    for line in screen.text.split(separator: "\n") {
      if let match = line.firstMatch(of: /([0-9,]+) rows/) {
        return Int(match.1.filter(\.isNumber))
      }
    }
    return nil
  }
}
