/// A lone ESC is the Escape key after a moment. When what follows comes late it may be the rest of a sequence, or
/// typed. For `pieceDelay` it is taken for the rest where terminals send something that begins like that, and typed
/// text comes as keys once that is clear: with the next key, or after another `pieceDelay`.
///
/// The price: after Escape the keys `[ ] O P X ^ _` wait for the next key, or a moment; and a sequence of a kind that
/// no terminal is known to send acts as keys when it is cut after its ESC and again after its second byte.
extension InputParser {
  /// More bytes than this are not typed by hand within one another's time.
  static let longestTyped = 4

  /// The bytes so far have been reported.
  mutating func becomeLate(_ bytes: [UInt8], isWindowOpen: Bool) {
    reset()
    sequence = bytes
    reported = bytes.count
    self.isWindowOpen = isWindowOpen
    state = .late
  }

  mutating func late(_ byte: UInt8, _ events: inout [InputEvent]) {
    if isWindowOpen, sequence == [0x1B], let next = Self.state(introducedBy: byte) {
      append(byte)
      stringCharacter = 0
      lateReading = reading
      state = next
      return
    }
    // The start of a paste has all the time in the world.
    if Self.pasteStart.count > sequence.count, Self.pasteStart[sequence.count] == byte {
      append(byte)
      isWindowOpen = false
      if sequence.count == Self.pasteStart.count { beginPaste() }
      return
    }
    let tail = sequence.dropFirst(reported)
    reset()
    for key in tail { ground(key, &events) }
    ground(byte, &events)
  }

  private static func state(introducedBy byte: UInt8) -> State? {
    switch byte {
    case UInt8(ascii: "["): .control
    case UInt8(ascii: "O"): .shift
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      .string
    default: nil
    }
  }

  /// Whether a byte may go on with what has begun. Where that came late and the byte begins nothing that a terminal
  /// sends, both were typed, and come as keys.
  mutating func isExpected(_ byte: UInt8, _ events: inout [InputEvent]) -> Bool {
    guard reported > 0, sequence.count == 2, 0x20..<0x7F ~= byte else { return true }
    // What is typed after one another comes in readings of its own.
    let isTogether = reading == lateReading
    let isExpected =
      switch (sequence[1], byte) {
      case (UInt8(ascii: "["), 0x30...0x39), (UInt8(ascii: "["), 0x3C...0x3F): true
      case (UInt8(ascii: "["), 0x20..<0x40): isTogether
      case (UInt8(ascii: "["), UInt8(ascii: "a")...UInt8(ascii: "d")): isTogether
      case (UInt8(ascii: "["), _): Array("ABCDEFHIMOPQRSZ[".utf8).contains(byte)
      case (UInt8(ascii: "O"), _): isTogether || Array("ABCDFHMPQRS".utf8).contains(byte)
      case (UInt8(ascii: "]"), 0x30...0x39): true
      case (UInt8(ascii: "]"), UInt8(ascii: "l")), (UInt8(ascii: "]"), UInt8(ascii: "L")):
        isTogether
      case (UInt8(ascii: "]"), _): false
      case (UInt8(ascii: "P"), _): isTogether || Array("01!>".utf8).contains(byte)
      case (UInt8(ascii: "_"), UInt8(ascii: "G")): true
      default: isTogether
      }
    if !isExpected {
      giveUp(&events)
      ground(byte, &events)
    }
    return isExpected
  }
}
