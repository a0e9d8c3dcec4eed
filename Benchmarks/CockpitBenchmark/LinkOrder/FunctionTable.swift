/// The functions of a program, from `nm -n --defined-only`.
struct FunctionTable {
  /// Names in the order of their addresses.
  let names: [Substring]
  private let addresses: [UInt64]
  /// Names that several functions have: the linker could not tell which is meant, and would move
  /// all of them with whole libraries behind.
  private let ambiguous: Set<Substring>

  init(nm text: String) {
    var names: [Substring] = []
    var addresses: [UInt64] = []
    var seen: Set<Substring> = []
    var ambiguous: Set<Substring> = []
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ", maxSplits: 2)
      guard fields.count == 3, "tTwW".contains(fields[1]),
        let address = UInt64(fields[0], radix: 16)
      else { continue }
      if !seen.insert(fields[2]).inserted { ambiguous.insert(fields[2]) }
      // Several names of one place count as the first.
      if address == addresses.last { continue }
      names.append(fields[2])
      addresses.append(address)
    }
    (self.names, self.addresses, self.ambiguous) = (names, addresses, ambiguous)
  }

  /// Executed instructions of each function, by its place in `names`.
  func fold(_ profile: CallgrindProfile) -> [Int: Int] {
    var result: [Int: Int] = [:]
    for (address, count) in profile.counts {
      if let index = index(containing: address) { result[index, default: 0] += count }
    }
    return result
  }

  func isAmbiguous(_ index: Int) -> Bool { ambiguous.contains(names[index]) }

  /// The last function that begins at or before an address.
  private func index(containing address: UInt64) -> Int? {
    var (low, high) = (0, addresses.count)
    while low < high {
      let middle = (low + high) / 2
      if addresses[middle] <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
