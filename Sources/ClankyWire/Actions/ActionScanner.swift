import LenientJSON

/// Finds the fields of one action in a single pass that also checks its grammar.
///
/// Both shapes are read (contract 4.1): stored rows in snake_case with an id, live ones in
/// camelCase without; keys come in any order, unknown ones are ignored, a repeated one counts with
/// its last value, and of two spellings the stored one wins (contract 4.2). Only a kind and a time
/// are required. Nothing is allocated, and there is no recursion.
package enum ActionScanner {
  /// The largest action that is kept, in bytes: the limit of one event (promise P3).
  package static let maxBytes = 64 << 20

  /// The keys, by place in the table of found values; the live spelling follows the stored one.
  private enum Key {
    static let kind = 0
    static let content = 1
    static let metadata = 2
    static let id = 3
    static let guild = 4  // and 5, and so on
    static let channel = 6
    static let message = 8
    static let user = 10
    static let time = 12
    static let cost = 14
    static let count = 16
  }

  /// Indexes the action in `bytes`; only white space may surround it.
  package static func scan(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ActionRejection) -> ActionScan {
    guard bytes.count <= maxBytes else { throw .tooLarge(bytes: bytes.count) }
    var scan = ActionScan()
    let rejection = withUnsafeTemporaryAllocation(of: ActionField.self, capacity: Key.count) {
      found -> ActionRejection? in
      found.initialize(repeating: .missing)
      guard let fields = found.baseAddress else { return .notJSON(offset: 0) }
      return members(of: bytes, into: fields) ?? resolve(fields, in: bytes, into: &scan)
    }
    if let rejection { throw rejection }
    return scan
  }

  private static func members(
    of bytes: UnsafeRawBufferPointer, into found: UnsafeMutablePointer<ActionField>
  ) -> ActionRejection? {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return .notJSON(offset: 0) }
    let count = bytes.count
    var at = JSONSteps.space(base, count, 0)
    guard JSONSteps.byte(base, count, at) == UInt8(ascii: "{") else {
      at = JSONSteps.value(base, count, at)
      guard at >= 0 else { return .notJSON(offset: ~at) }
      at = JSONSteps.space(base, count, at)
      return at == count ? .notAnObject : .notJSON(offset: at)
    }
    at = JSONSteps.space(base, count, at &+ 1)
    if JSONSteps.byte(base, count, at) == UInt8(ascii: "}") {
      at &+= 1
    } else {
      while true {
        at = member(base, count, at, into: found)
        guard at >= 0 else { return .notJSON(offset: ~at) }
        at = JSONSteps.space(base, count, at)
        let next = JSONSteps.byte(base, count, at)
        guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") else {
          return .notJSON(offset: at)
        }
        at &+= 1
        if next == UInt8(ascii: "}") { break }
        at = JSONSteps.space(base, count, at)
      }
    }
    at = JSONSteps.space(base, count, at)
    return at == count ? nil : .notJSON(offset: at)
  }

  /// Steps over one key and its value, as `JSONSteps` does, and notes the value when the key is one
  /// of ours.
  @inline(__always)
  private static func member(
    _ base: UnsafeRawPointer, _ count: Int, _ start: Int,
    into found: UnsafeMutablePointer<ActionField>
  ) -> Int {
    guard JSONSteps.byte(base, count, start) == UInt8(ascii: "\"") else { return ~start }
    var at = start &+ 1
    var keyEscaped = false
    at = JSONSteps.stringBody(base, count, at, &keyEscaped)
    guard at >= 0 else { return at }
    let key = UnsafeRawBufferPointer(start: base + (start &+ 1), count: at &- 2 &- start)
    let slot = keyEscaped ? escapedSlot(key) : self.slot(key, readable: count &- 1 &- start)
    at = JSONSteps.space(base, count, at)
    guard JSONSteps.byte(base, count, at) == UInt8(ascii: ":") else { return ~at }
    at = JSONSteps.space(base, count, at &+ 1)
    let first = JSONSteps.byte(base, count, at)
    let valueStart = at
    var field = ActionField(offset: UInt32(truncatingIfNeeded: valueStart))
    switch first {
    case UInt8(ascii: "\""):
      var escaped = false
      at = JSONSteps.stringBody(base, count, at &+ 1, &escaped)
      guard at >= 0 else { return at }
      field.offset &+= 1
      field.count = UInt32(truncatingIfNeeded: at &- 2 &- valueStart)
      field.form = escaped ? .escapedText : .text
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      at = JSONSteps.container(base, count, at)
      guard at >= 0 else { return at }
      field.count = UInt32(truncatingIfNeeded: at &- valueStart)
      field.form = first == UInt8(ascii: "{") ? .object : .array
    default:
      at = JSONSteps.atom(base, count, at)
      guard at >= 0 else { return at }
      field.count = UInt32(truncatingIfNeeded: at &- valueStart)
      switch first {
      case UInt8(ascii: "n"): field = .missing
      case UInt8(ascii: "0")...UInt8(ascii: "9"): field.form = .number
      case UInt8(ascii: "-"):
        let last = base.load(fromByteOffset: at &- 1, as: UInt8.self)
        field.form = last == UInt8(ascii: "y") ? .word : .number
      default: field.form = .word
      }
    }
    if slot >= 0 { found[slot] = field }
    return at
  }

  /// The place of a key in the table, -1 for one that is not ours.
  ///
  /// - Parameter readable: how many bytes may be read from its start on; eight nearly always may,
  ///   and the key is then one number to compare.
  @inline(__always)
  private static func slot(_ key: UnsafeRawBufferPointer, readable: Int) -> Int {
    guard let base = key.baseAddress, key.count >= 2, key.count <= 10 else { return -1 }
    var head: UInt64 = 0
    if readable >= 8 {
      let unused = UInt64(8 &- min(8, key.count)) &* 8
      head = (UInt64(littleEndian: base.loadUnaligned(as: UInt64.self)) &<< unused) &>> unused
    } else {
      for index in 0..<min(8, key.count) { head |= UInt64(key[index]) << UInt64(8 * index) }
    }
    switch key.count {
    case 2: return head == word("id") ? Key.id : -1
    case 4: return head == word("kind") ? Key.kind : -1
    case 6: return head == word("userId") ? Key.user &+ 1 : -1
    case 7:
      return head == word("content")
        ? Key.content
        : head == word("guildId")
          ? Key.guild &+ 1
          : head == word("usdCost") ? Key.cost &+ 1 : head == word("user_id") ? Key.user : -1
    case 8:
      return head == word("metadata")
        ? Key.metadata
        : head == word("guild_id") ? Key.guild : head == word("usd_cost") ? Key.cost : -1
    case 9:
      switch key[8] {
      case UInt8(ascii: "t"): return head == word("createdA") ? Key.time &+ 1 : -1
      case UInt8(ascii: "d"):
        return head == word("channelI")
          ? Key.channel &+ 1 : head == word("messageI") ? Key.message &+ 1 : -1
      default: return -1
      }
    case 10:
      switch (key[8], key[9]) {
      case (UInt8(ascii: "a"), UInt8(ascii: "t")): return head == word("created_") ? Key.time : -1
      case (UInt8(ascii: "i"), UInt8(ascii: "d")):
        return head == word("channel_") ? Key.channel : head == word("message_") ? Key.message : -1
      default: return -1
      }
    default: return -1
    }
  }

  /// Up to eight letters as a number, the first one lowest: a constant after compilation.
  @inline(__always)
  private static func word(_ letters: StaticString) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<letters.utf8CodeUnitCount {
      word |= UInt64(letters.utf8Start[index]) &<< UInt64(8 &* index)
    }
    return word
  }

  /// A key spelled with escapes: rare, so it may be slow.
  private static func escapedSlot(_ key: UnsafeRawBufferPointer) -> Int {
    guard key.count <= 60 else { return -1 }  // ten bytes at six per escape
    var text = JSONText.decode(key)
    return text.withUTF8 { slot(UnsafeRawBufferPointer($0), readable: $0.count) }
  }

  private static func resolve(
    _ found: UnsafeMutablePointer<ActionField>, in bytes: UnsafeRawBufferPointer,
    into scan: inout ActionScan
  ) -> ActionRejection? {
    scan.kind = found[Key.kind]
    guard scan.kind.isText, scan.kind.count > 0 else { return .noKind }
    guard
      let (time, field) = time(found[Key.time], in: bytes) ?? time(found[Key.time + 1], in: bytes)
    else { return .noTime }
    scan.timeMs = time
    scan.createdAt = field
    if found[Key.content].isText { scan.content = found[Key.content] }
    scan.guild = id(found, Key.guild)
    scan.channel = id(found, Key.channel)
    scan.message = id(found, Key.message)
    scan.user = id(found, Key.user)
    scan.metadata = found[Key.metadata]
    if found[Key.id].form != .missing, let id = int(found[Key.id], in: bytes), id >= 0 {
      scan.id = id  // ids count up from 1; a negative one is no id
    }
    if !cost(found[Key.cost], in: bytes, into: &scan) {
      _ = cost(found[Key.cost + 1], in: bytes, into: &scan)
    }
    return nil
  }

  @inline(__always)
  private static func id(
    _ found: UnsafeMutablePointer<ActionField>, _ key: Int
  ) -> ActionField {
    if isID(found[key]) { return found[key] }
    return isID(found[key + 1]) ? found[key + 1] : .missing
  }

  @inline(__always)
  private static func isID(_ field: ActionField) -> Bool {
    field.isText ? field.count > 0 : field.form == .number
  }

  @inline(__always)
  private static func cost(
    _ field: ActionField, in bytes: UnsafeRawBufferPointer, into scan: inout ActionScan
  ) -> Bool {
    guard field.form != .missing else { return false }
    guard let nanos = Decimal9.nanos(field, in: bytes) else {
      // A number beyond all bounds is one: it is given back as it came.
      if field.form == .number { scan.costText = field } else { scan.isCostOdd = true }
      return field.form == .number
    }
    scan.costText = field
    scan.costNanos = nanos
    return true
  }

  @inline(__always)
  private static func time(
    _ field: ActionField, in bytes: UnsafeRawBufferPointer
  ) -> (Int64, ActionField)? {
    if field.form == .text, let time = WireTime.parse(field.bytes(in: bytes)) {
      return (time, field)
    }
    if field.form == .escapedText, let time = field.text(in: bytes).flatMap(WireTime.init(iso:)) {
      return (time.milliseconds, field)
    }
    return nil
  }

  private static func int(_ field: ActionField, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard field.form == .number || field.isText else { return nil }
    // Fifteen digits are less than `JSONNumber.farthestInt`, whatever they are.
    if field.form != .escapedText, field.count > 0, field.count < 16 {
      var value = 0
      for byte in field.bytes(in: bytes) {
        guard byte &- 0x30 < 10 else { return slowInt(field, in: bytes) }
        value = value &* 10 &+ Int(byte &- 0x30)
      }
      return value
    }
    return slowInt(field, in: bytes)
  }

  private static func slowInt(_ field: ActionField, in bytes: UnsafeRawBufferPointer) -> Int? {
    JSONNumber(text: JSONText.decode(field.bytes(in: bytes))).int
  }
}
