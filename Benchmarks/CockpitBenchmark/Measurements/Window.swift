import Foundation

/// One program's activity during a time window.
struct Window {
  let cpuPercent: Double
  let wakeUpsPerSecond: Double
  let bytesPerSecond: Double

  /// Watches several screens at the same time.
  static func watch(_ screens: [Screen], seconds: Double) -> [Window] {
    let start = nowNs()
    let cpu = screens.map { ProcessFigures.cpuNs($0.processID) ?? 0 }
    let bytes = screens.map(\.byteCount)
    var wakeUps = screens.map { WakeUpCount($0.processID) }
    var left = seconds
    while left > 0 {
      Screen.serve(screens, seconds: min(1, left))
      left -= 1
      for index in wakeUps.indices { wakeUps[index].sample() }
    }
    let elapsed = Double(nowNs() - start) / 1e9
    return screens.indices.map { index in
      let used = (ProcessFigures.cpuNs(screens[index].processID) ?? 0) &- cpu[index]
      return Window(
        cpuPercent: Double(used) / 1e7 / elapsed,
        wakeUpsPerSecond: Double(wakeUps[index].total) / elapsed,
        bytesPerSecond: Double(screens[index].byteCount - bytes[index]) / elapsed)
    }
  }
}
