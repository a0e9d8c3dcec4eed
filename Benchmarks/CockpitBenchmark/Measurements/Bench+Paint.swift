import Foundation

extension Bench {
  /// From the start of the process to a complete frame, rows from the network included.
  func measureFirstPaint() throws {
    report.begin("First paint")
    let demo = try DemoProcess(cockpit: backend, scenario: "quiet")
    var (own, other) = ([FirstPaint](), [FirstPaint]())
    let paintOwn = {
      own.append(try self.firstPaint(try self.openCockpit(demo), Self.isCockpitComplete))
    }
    // A start is a few ms in which a shared machine may do anything, and many are soon made.
    let pairs = 3 * effort.pairs
    for pair in 0..<pairs {
      if pair % 2 == 0 { try paintOwn() }
      if let screen = try openHtop() { other.append(try firstPaint(screen, Self.isHtopComplete)) }
      if pair % 2 == 1 { try paintOwn() }
    }
    report.add(
      "cockpit: first bytes", figure: Spread(own.map(\.firstBytesMs)).text("ms", digits: 0))
    report.add(
      "cockpit: complete frame with rows",
      figure: Spread(own.map(\.completeMs)).text("ms", digits: 0))
    report.add("cockpit: CPU until then", figure: Spread(own.map(\.cpuMs)).text("ms", digits: 1))
    let version = try (0..<effort.pairs).map { _ in try Child.run(cockpit, ["--version"]).cpu * 1000
    }
    report.add("CPU of `clanky-cockpit --version`", figure: Spread(version).text("ms", digits: 1))
    guard !other.isEmpty else { return report.missing(.firstPaint, "htop is not installed") }
    report.add(
      "htop: complete frame", figure: Spread(other.map(\.completeMs)).text("ms", digits: 0))
    report.add("htop: CPU until then", figure: Spread(other.map(\.cpuMs)).text("ms", digits: 1))
    report.compared(
      "CPU until then against htop", Spread(zip(own, other).map { $0.cpuMs / $1.cpuMs }))
    report.measured(.firstPaint, Spread(zip(own, other).map { $0.completeMs / $1.completeMs }))
  }

  private struct FirstPaint {
    let firstBytesMs: Double
    let completeMs: Double
    let cpuMs: Double
  }

  private func firstPaint(
    _ screen: Screen, _ isComplete: (Screen) -> Bool
  ) throws -> FirstPaint {
    guard Screen.serve([screen], seconds: 10, until: { screen.byteCount > 0 }) else {
      throw BenchmarkError("a program wrote nothing to its terminal in 10 s")
    }
    let first = screen.lastByteNs
    guard Screen.serve([screen], seconds: 10, until: { isComplete(screen) }) else {
      throw BenchmarkError("no complete frame in 10 s:\n\(screen.text)")
    }
    let paint = FirstPaint(
      firstBytesMs: Double(first - screen.startNs) / 1e6,
      completeMs: Double(screen.lastByteNs - screen.startNs) / 1e6,
      cpuMs: Double(screen.lastByteCpuNs) / 1e6)
    Screen.serve([screen], seconds: 0.5)
    screen.send("q")
    _ = screen.end(seconds: 5)
    return paint
  }
}
