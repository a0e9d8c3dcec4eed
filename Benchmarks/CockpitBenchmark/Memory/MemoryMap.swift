import Foundation

/// Resident memory of a process, by mapping (`/proc/PID/smaps`). Sizes are bytes.
struct MemoryMap {
  /// One mapping.
  struct Mapping {
    let range: Range<UInt64>
    let permissions: String
    /// A file, `[heap]`, `[stack]`, or empty.
    let name: String
    var resident = 0
    /// Resident pages that are the process's own: written to, or copied.
    var dirty = 0
  }

  private(set) var mappings: [Mapping] = []

  init(_ processID: pid_t) throws {
    guard let file = FileHandle(forReadingAtPath: "/proc/\(processID)/smaps") else {
      throw BenchmarkError("cannot read the memory map of process \(processID)")
    }
    defer { try? file.close() }
    // A page at a time: the kernel returns no more, and a short read is not the end.
    var data = Data()
    while let more = try file.read(upToCount: 1 << 16), !more.isEmpty { data += more }
    let text = String(decoding: data, as: UTF8.self)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      if let range = fields.first.flatMap({ Self.range($0) }), fields.count >= 5 {
        mappings.append(
          Mapping(
            range: range, permissions: String(fields[1]),
            name: fields.count > 5 ? fields[5].trimmingCharacters(in: .whitespaces) : ""))
      } else if fields.count > 1, let kilobytes = Int(fields[1]), !mappings.isEmpty {
        switch fields[0] {
        case "Rss:": mappings[mappings.count - 1].resident = kilobytes << 10
        case "Private_Dirty:": mappings[mappings.count - 1].dirty = kilobytes << 10
        default: break
        }
      }
    }
  }

  private static func range(_ text: Substring) -> Range<UInt64>? {
    let ends = text.split(separator: "-").compactMap { UInt64($0, radix: 16) }
    return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
  }

  var resident: Int { mappings.reduce(0) { $0 + $1.resident } }
  var dirty: Int { mappings.reduce(0) { $0 + $1.dirty } }

  /// Resident bytes of the mappings of which something is so.
  func resident(where isWanted: (Mapping) -> Bool) -> Int {
    mappings.filter(isWanted).reduce(0) { $0 + $1.resident }
  }
}
