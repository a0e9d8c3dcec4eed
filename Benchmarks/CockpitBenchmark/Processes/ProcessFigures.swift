import Foundation

/// The kernel's figures of a running process. Linux only: elsewhere everything is nil.
enum ProcessFigures {
  /// CPU time of all threads, those that have ended included, in nanoseconds.
  static func cpuNs(_ processID: pid_t) -> UInt64? {
    #if os(Linux)
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(processID, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        return nil
      }
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    #else
      return nil
    #endif
  }

  /// Resident memory in bytes.
  static func residentBytes(_ processID: pid_t) -> Int? {
    value("VmRSS:", in: "/proc/\(processID)/status").map { $0 << 10 }
  }

  /// Open descriptors.
  static func descriptors(_ processID: pid_t) -> Int? {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd"))?.count
  }

  /// Voluntary context switches so far, per thread: each is one sleep and one wake-up.
  static func wakeUps(_ processID: pid_t) -> [String: Int] {
    let folder = "/proc/\(processID)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.reduce(into: [:]) { counts, thread in
      counts[thread] = value("voluntary_ctxt_switches:", in: "\(folder)/\(thread)/status")
    }
  }

  private static func value(_ field: String, in path: String) -> Int? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(field) {
      return line.dropFirst(field.count).split(whereSeparator: { $0 == " " || $0 == "\t" }).first
        .flatMap { Int($0) }
    }
    return nil
  }
}

/// Adds up the wake-ups of a process whose threads come and go: sample about once a second.
struct WakeUpCount {
  private let processID: pid_t
  private var last: [String: Int]
  private(set) var total = 0

  init(_ processID: pid_t) {
    self.processID = processID
    last = ProcessFigures.wakeUps(processID)
  }

  mutating func sample() {
    let now = ProcessFigures.wakeUps(processID)
    for (thread, count) in now { total += max(0, count - (last[thread] ?? 0)) }
    last = now
  }
}

/// Nanoseconds of the monotonic clock.
func nowNs() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
