extension InputParser {
  /// The parameters of a sequence: numbers between semicolons, each with sub-parameters after colons.
  struct Parameters {
    struct Parameter {
      var value = 0
      /// The first two sub-parameters; nil if missing.
      var second: Int?
      var third: Int?
      /// More sub-parameters than these.
      var isLong = false
    }

    private var list: [Parameter] = []

    /// - Parameter bytes: digits, `;` and `:`.
    /// - Returns: nil if there is anything else.
    init?(_ bytes: ArraySlice<UInt8>) {
      guard !bytes.isEmpty else { return }
      var parameter = Parameter()
      var field = 0
      for byte in bytes {
        switch byte {
        case UInt8(ascii: ";"):
          list.append(parameter)
          parameter = Parameter()
          field = 0
        case UInt8(ascii: ":"):
          field += 1
          switch field {
          case 1: parameter.second = 0
          case 2: parameter.third = 0
          default: parameter.isLong = true
          }
        case 0x30...0x39:
          let digit = Int(byte) - 0x30
          switch field {
          case 0: parameter.value = Self.next(parameter.value, digit)
          case 1: parameter.second = Self.next(parameter.second ?? 0, digit)
          case 2: parameter.third = Self.next(parameter.third ?? 0, digit)
          default: break
          }
        default: return nil
        }
      }
      list.append(parameter)
    }

    /// Bounded, so that nothing overflows.
    private static func next(_ value: Int, _ digit: Int) -> Int {
      min(value * 10 + digit, 99_999_999)
    }

    var count: Int { list.count }

    /// A number without sub-parameters; nil if it has some, 0 if omitted.
    func plain(_ index: Int) -> Int? {
      guard index < list.count else { return 0 }
      return list[index].second == nil ? list[index].value : nil
    }

    /// Whether no parameter has sub-parameters.
    var arePlain: Bool { list.allSatisfy { $0.second == nil } }

    subscript(index: Int) -> Parameter { index < list.count ? list[index] : Parameter() }

    /// The modifiers of a key, from xterm's and kitty's code, which is one more than the bits.
    ///
    /// - Returns: nil if Super or Hyper is held, which no binding uses, or if the code is invalid.
    func modifiers(at index: Int) -> Modifiers? {
      guard index >= 0, index < list.count else { return Modifiers() }
      let parameter = list[index]
      let bits = max(parameter.value, 1) - 1
      guard bits < 256, bits & 0b1_1000 == 0, parameter.third == nil,
        1...3 ~= max(parameter.second ?? 1, 1)
      else { return nil }
      var held = KeyModifiers(rawValue: UInt8(bits & 7))
      if bits & 32 != 0 { held.insert(.alt) }
      return Modifiers(
        held: held, isCapsLocked: bits & 64 != 0, isRelease: parameter.second == 3,
        isRepeat: parameter.second == 2)
    }
  }

  /// The modifiers of a key, and the event type.
  struct Modifiers {
    var held: KeyModifiers = []
    var isCapsLocked = false
    /// The key was let go, which is no press.
    var isRelease = false
    /// The key is held, and is sent again.
    var isRepeat = false
  }
}
