/// How often each instruction of one program ran, from callgrind's output with `--dump-instr=yes`
/// (valgrind manual, "Callgrind Format Specification").
struct CallgrindProfile {
  /// Executions by address in the program's file.
  private(set) var counts: [UInt64: Int] = [:]

  /// - Parameter program: how the path of the object ends that is counted.
  init(_ text: String, program: String) {
    var objects: [Substring: Bool] = [:]
    var isCounted = false
    var isCallCost = false
    var address: UInt64 = 0
    for line in text.split(separator: "\n") {
      guard let first = line.utf8.first else { continue }
      if line.hasPrefix("ob=") || line.hasPrefix("cob=") {
        // `ob=(3) /path` names it, `ob=(3)` refers to it.
        let words = line.split(separator: "=", maxSplits: 1)[1].split(
          separator: " ", maxSplits: 1)
        if words.count == 2 { objects[words[0]] = words[1].hasSuffix(program) }
        if line.hasPrefix("ob=") { isCounted = objects[words[0]] ?? false }
      } else if line.hasPrefix("calls=") {
        // The next line has the cost of the callee, which is counted there.
        isCallCost = true
      } else if Self.startsPosition(first) {
        let words = line.split(separator: " ")
        guard words.count >= 2, let next = Self.address(words[0], after: address) else { continue }
        address = next
        if isCallCost {
          isCallCost = false
        } else if isCounted, let count = Int(words[words.count - 1]) {
          counts[address, default: 0] += count
        }
      }
    }
  }

  private static func startsPosition(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "*")
      || byte == UInt8(ascii: "0")
  }

  /// `0x12ab`, or `+4`, `-4` and `*` from the one before.
  private static func address(_ word: Substring, after last: UInt64) -> UInt64? {
    let digits = word.dropFirst()
    return switch word.first {
    case "*": last
    case "+": number(digits).map { last &+ $0 }
    case "-": number(digits).map { last &- $0 }
    default: number(word)
    }
  }

  private static func number(_ word: Substring) -> UInt64? {
    word.hasPrefix("0x") ? UInt64(word.dropFirst(2), radix: 16) : UInt64(word)
  }
}
