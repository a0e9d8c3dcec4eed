import Foundation

/// Which pages of a running program's own file are in memory, by section of the file: readelf says
/// where a section is, `/proc/PID/pagemap` which pages are there.
struct ProgramSections {
  /// Resident bytes by name; a page that two sections share counts for the first.
  private(set) var resident: [String: Int] = [:]
  /// The data tables of ICU, which stand inside a section of their own symbol.
  private(set) var icu = 0

  private static let page: UInt64 = 4096

  init?(program: String, processID: pid_t, map: MemoryMap) {
    guard let readelf = Child.find("readelf"),
      let base = map.mappings.first(where: { $0.name == program })?.range.lowerBound,
      let sections = try? Child.run(readelf, ["-SW", program], keepsOutput: true).output,
      let pages = FileHandle(forReadingAtPath: "/proc/\(processID)/pagemap")
    else { return nil }
    defer { try? pages.close() }
    var seen: Set<UInt64> = []
    let icuRange = Self.icuTables(program)
    for line in sections.split(separator: "\n") {
      guard let section = Self.section(line) else { continue }
      let first = (base + section.address) / Self.page
      let last = (base + section.address + section.size - 1) / Self.page
      for page in first...last
      where seen.insert(page).inserted && Self.isPresent(page, in: pages) {
        let address = page * Self.page - base
        if icuRange?.contains(address) == true {
          icu += Int(Self.page)
        } else {
          resident[section.name, default: 0] += Int(Self.page)
        }
      }
    }
  }

  func sum(_ names: [String]) -> Int { names.reduce(0) { $0 + (resident[$1] ?? 0) } }

  /// `[ 1] .text PROGBITS 0000000000001000 001000 000800 00 AX …`, of sections that are loaded.
  private static func section(
    _ line: Substring
  ) -> (name: String, address: UInt64, size: UInt64)? {
    guard let end = line.firstIndex(of: "]") else { return nil }
    let fields = line[line.index(after: end)...].split(separator: " ")
    guard fields.count >= 7, let address = UInt64(fields[2], radix: 16), address > 0,
      fields[0] != ".tbss",
      let size = UInt64(fields[4], radix: 16), size > 0
    else { return nil }
    return (String(fields[0]), address, size)
  }

  /// Where the file says that the tables are; nil without symbols.
  private static func icuTables(_ program: String) -> Range<UInt64>? {
    guard let nm = Child.find("nm"),
      let symbols = try? Child.run(nm, ["-S", "-n", program], keepsOutput: true).output
    else { return nil }
    var start: UInt64?
    for line in symbols.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let address = fields.first.flatMap({ UInt64($0, radix: 16) }) else { continue }
      // Without a size of its own it ends where the next symbol begins.
      if let start, address > start { return start..<address }
      if fields.last?.hasPrefix("icudt") == true { start = address }
    }
    return nil
  }

  /// Bit 63 of the entry of a page (Linux, Documentation/admin-guide/mm/pagemap.rst).
  private static func isPresent(_ page: UInt64, in file: FileHandle) -> Bool {
    guard (try? file.seek(toOffset: page * 8)) != nil, let data = try? file.read(upToCount: 8),
      data.count == 8
    else { return false }
    return data[data.startIndex + 7] & 0x80 != 0
  }
}
