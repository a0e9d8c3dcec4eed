import CockpitDomain
import CockpitPanes
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures this program's own resource use, when a frame is drawn and at most every 3 s; it needs
/// no timer.
package struct ClientMeter {
  private struct Sample {
    var atNs: UInt64
    /// User and system, in seconds.
    var cpuSeconds: Double
    var received: Int
    var written: Int
  }

  private var last: Sample?
  private var memoryAtNs: UInt64?
  package private(set) var figures = ClientFigures()

  private static let intervalNs: UInt64 = 3_000_000_000

  /// - Parameters:
  ///   - written: bytes written to the terminal since the start.
  ///   - nowNs: monotonic.
  ///   - isShown: whether the figures are on screen. Reading the memory use costs a twelfth of a
  ///     frame.
  package mutating func measure(_ status: SourceStatus, written: Int, nowNs: UInt64, isShown: Bool)
  {
    if isShown, memoryAtNs.map({ nowNs &- $0 >= Self.intervalNs }) ?? true {
      memoryAtNs = nowNs
      figures.residentBytes = Self.residentBytes
    }
    if let last, nowNs &- last.atNs < Self.intervalNs { return }
    let sample = Sample(
      atNs: nowNs, cpuSeconds: Self.cpuSeconds,
      received: status.channels.reduce(status.restBytes) { $0 + $1.status.bytes }, written: written)
    defer { last = sample }
    guard let last, nowNs > last.atNs else { return }
    let seconds = Double(nowNs - last.atNs) / 1e9
    figures.cpuPercent = max(0, sample.cpuSeconds - last.cpuSeconds) / seconds * 100
    // After a change of profile the counters start over.
    figures.receivedBytesPerSecond = Double(max(0, sample.received - last.received)) / seconds
    figures.writtenBytesPerSecond = Double(max(0, sample.written - last.written)) / seconds
  }

  private static var cpuSeconds: Double {
    var usage = rusage()
    // RUSAGE_SELF: the headers of Linux and macOS spell it with different types.
    guard getrusage(0, &usage) == 0 else { return 0 }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  #if canImport(Darwin)
    private static var residentBytes: Int? {
      var info = mach_task_basic_info()
      var count = mach_msg_type_number_t(
        MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &info) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
        }
      }
      return result == KERN_SUCCESS ? Int(info.resident_size) : nil
    }
  #else
    /// The second number of `/proc/self/statm` is resident pages (proc(5)).
    private static var residentBytes: Int? {
      var bytes = [UInt8](repeating: 0, count: 128)
      let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let count = read(file, &bytes, bytes.count)
      let numbers = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
      guard numbers.count > 1, let pages = Int(String(decoding: numbers[1], as: UTF8.self)) else {
        return nil
      }
      return pages * sysconf(Int32(_SC_PAGESIZE))
    }
  #endif
}
