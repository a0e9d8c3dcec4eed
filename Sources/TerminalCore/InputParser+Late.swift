/// A lone ESC is the Escape key after a moment; it may have been the start of a sequence nevertheless. When one of
/// `[ O ] P X ^ _` follows within `pieceDelay`, it continues that sequence, of whatever kind, up to its end or until
/// nothing more comes in time. None of it is ever a key, except the second byte when nothing at all follows it.
///
/// The price is paid by who types one of these keys within that time after Escape: alone it comes `pieceDelay` later,
/// and with more it is lost: after `[` and `O` mostly with one key more, up to the final byte; after the others, which
/// begin strings, with everything until nothing is typed for `pieceDelay`. A string that comes like typing ends
/// earlier: see `endsTypedString`. `]` and a key that no OSC begins with are two keys.
extension InputParser {
  /// A late string ends after this many readings of one character each. Answers of terminals are shorter, or come
  /// in larger pieces.
  static let longestTyped = 64

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

  /// Whether a byte after Escape and a late `]` shows that both were typed: every OSC that a terminal sends begins with
  /// a number, or is a title (`l`, `L`; xterm's ctlseqs, window reports).
  func isTypedBracket(_ byte: UInt8) -> Bool {
    reported > 0 && sequence.count == 2 && sequence[1] == UInt8(ascii: "]")
      && (0x20..<0x7F).contains(byte) && !(0x30...0x39).contains(byte)
      && byte != UInt8(ascii: "l") && byte != UInt8(ascii: "L")
  }

  /// Ends a late string that is typed by hand, so that nobody loses the keyboard for long: with a Ctrl-C that comes
  /// alone, or when more than `longestTyped` characters have come one by one. What has come is one unknown sequence.
  ///
  /// - Parameter bytes: one reading.
  /// - Returns: true if the reading belongs to the string, whose end it is.
  mutating func endsTypedString(_ bytes: ArraySlice<UInt8>, _ events: inout [InputEvent]) -> Bool {
    guard case .string = state, let first = bytes.first else { return false }
    if bytes.count == 1, first == Self.interrupt {
      append(first)
      finish(.unknown(sequence), &events)
      return true
    }
    let isOneCharacter =
      bytes.count == 1
      || (first >= 0xC2 && bytes.count <= 4 && bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 })
    typedCount = isOneCharacter ? typedCount + 1 : 0
    if typedCount > Self.longestTyped { finish(.unknown(sequence), &events) }
    return false
  }
}
