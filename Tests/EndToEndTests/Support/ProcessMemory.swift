import Foundation

/// What a process has taken of the machine.
enum ProcessMemory {
  /// The most it ever had resident, in MB; nil if the system does not say (all but Linux).
  static func peakMB(_ process: pid_t) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let match = text.firstMatch(of: /VmHWM:\s+(\d+) kB/)
    else { return nil }
    return Int(match.1).map { $0 / 1000 }
  }
}
