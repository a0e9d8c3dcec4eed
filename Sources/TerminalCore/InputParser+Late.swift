/// A lone ESC is reported as the Escape key after a short delay, although it may have been the start of a sequence. If
/// one of `[ O ] P X ^ _` arrives within `pieceDelay`, the parser resumes that sequence, whatever its kind, until it
/// ends or no byte arrives for `pieceDelay`. No byte of it becomes a key, except a second byte that nothing follows.
///
/// The cost: these keys, typed within that time after Escape, are delayed by `pieceDelay` or, if more follows, lost. `[`
/// and `O` usually lose one more key, up to the final byte; the others start a string and lose everything up to a pause
/// of `pieceDelay` or a Ctrl-C. `]` followed by a byte that starts no OSC is two keys.
extension InputParser {
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
      state = next
      return
    }
    // The start of a paste has no time limit.
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

  /// Whether a byte after Escape and a late `]` shows that both were typed: every OSC that a terminal sends begins with
  /// a number, or is a title (`l`, `L`; xterm's ctlseqs, window reports).
  func isTypedBracket(_ byte: UInt8) -> Bool {
    reported > 0 && sequence.count == 2 && sequence[1] == UInt8(ascii: "]")
      && (0x20..<0x7F).contains(byte) && !(0x30...0x39).contains(byte)
      && byte != UInt8(ascii: "l") && byte != UInt8(ascii: "L")
  }

  /// Ends a late string at a Ctrl-C that arrives alone, so that a user who typed its start can leave it without
  /// waiting. The string and the Ctrl-C are one unknown sequence.
  ///
  /// - Parameter bytes: one read from the terminal.
  /// - Returns: whether the read was that Ctrl-C.
  mutating func endsTypedString(_ bytes: ArraySlice<UInt8>, _ events: inout [InputEvent]) -> Bool {
    guard case .string = state, bytes.count == 1, bytes.first == Self.interrupt else {
      return false
    }
    append(Self.interrupt)
    finish(.unknown(sequence), &events)
    return true
  }
}
