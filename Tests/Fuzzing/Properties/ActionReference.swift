package import LenientJSON
package import ClankyWire

/// What an action is, read from the tree of `JSONReference` by the reading rules of the wire
/// contract (4.1, 4.2), without a look at `ActionScanner`.
package struct ActionReference: Equatable {
  package var kind: String
  /// Milliseconds since 1970.
  package var timeMs: Int64
  package var content, guild, channel, message, user: String?
  package var id: Int?
  package var cost: Double?

  /// nil if the bytes are no action.
  package init?(_ bytes: [UInt8]) {
    guard case .object(let object) = JSONReference.parse(bytes) else { return nil }
    self.init(object)
  }

  package init?(_ object: JSONObject) {
    /// The last value of a repeated key.
    func value(_ key: String) -> JSONValue {
      object.members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value ?? .null
    }
    /// The stored spelling, and the live one when that says nothing.
    func first<Value>(_ keys: (String, String), _ read: (JSONValue) -> Value?) -> Value? {
      read(value(keys.0)) ?? read(value(keys.1))
    }
    func id(_ value: JSONValue) -> String? {
      switch value {
      case .string(let text): text.isEmpty ? nil : text
      case .number(let number): number.text.last?.isNumber == true ? number.text : nil
      default: nil
      }
    }
    func number(_ value: JSONValue) -> Double? {
      switch value {
      case .string(let text): Double(text)
      case .number(let number): Double(number.text)
      default: nil
      }
    }
    guard case .string(let kind) = value("kind"), !kind.isEmpty,
      let time = first(
        ("created_at", "createdAt"),
        { value -> Int64? in
          if case .string(let text) = value { Self.milliseconds(text) } else { nil }
        })
    else { return nil }
    self.kind = kind
    timeMs = time
    if case .string(let text) = value("content"), !text.isEmpty { content = text }
    guild = first(("guild_id", "guildId"), id)
    channel = first(("channel_id", "channelId"), id)
    message = first(("message_id", "messageId"), id)
    user = first(("user_id", "userId"), id)
    switch value("id") {
    case .string(let text): self.id = Self.whole(text)
    case .number(let number): self.id = Self.whole(number.text)
    default: self.id = nil
    }
    cost = first(("usd_cost", "usdCost")) { number($0).flatMap { $0.isFinite ? $0 : nil } }
  }

  /// The same of an action as the scanner reads it.
  package init(_ action: Action) {
    kind = action.kind
    timeMs = action.time.milliseconds
    content = action.content
    guild = action.guildID
    channel = action.channelID
    message = action.messageID
    user = action.userID
    id = action.id
    cost = action.costUSD
  }

  /// Texts are compared scalar by scalar.
  package static func == (left: Self, right: Self) -> Bool {
    func same(_ path: KeyPath<Self, String?>) -> Bool {
      left[keyPath: path].map { Array($0.utf8) } == right[keyPath: path].map { Array($0.utf8) }
    }
    return left.kind.utf8.elementsEqual(right.kind.utf8) && left.timeMs == right.timeMs
      && same(\.content) && same(\.guild) && same(\.channel) && same(\.message) && same(\.user)
      && left.id == right.id && left.cost == right.cost
  }

  /// A row id: a whole number from 0 on that a double holds exactly, or an `Int` of whose kind a
  /// thousand can be added (promise P11).
  private static func whole(_ text: String) -> Int? {
    if let whole = Int(text) { return (0...9_223_372_036_854_775).contains(whole) ? whole : nil }
    guard let double = Double(text), double >= 0, double < 0x1p53, double == double.rounded() else {
      return nil
    }
    return Int(double)
  }

  /// `YYYY-MM-DD`, `T` or a space, `HH:MM:SS`, a fraction or none, `Z` or an offset.
  private static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    func digits(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count else { return nil }
      let digits = bytes[range]
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int64(String(decoding: digits, as: UTF8.self))
    }
    func isByte(_ at: Int, _ set: String) -> Bool {
      at < bytes.count && set.utf8.contains(bytes[at])
    }
    guard let year = digits(0..<4), isByte(4, "-"), let month = digits(5..<7), isByte(7, "-"),
      let day = digits(8..<10), isByte(10, "T "), let hour = digits(11..<13), isByte(13, ":"),
      let minute = digits(14..<16), isByte(16, ":"), let second = digits(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour <= 23, minute <= 59, second <= 60
    else { return nil }
    var at = 19
    var fraction: [UInt8] = []
    if isByte(at, ".") {
      fraction = Array(bytes[(at + 1)...].prefix { (0x30...0x39).contains($0) })
      at += 1 + fraction.count
    }
    var offset: Int64 = 0
    if isByte(at, "Zz") {
      at += 1
    } else if isByte(at, "+-"), let hours = digits(at + 1..<at + 3), isByte(at + 3, ":"),
      let minutes = digits(at + 4..<at + 6)
    {
      offset = (bytes[at] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
      at += 6
    } else {
      return nil
    }
    guard at == bytes.count else { return nil }
    // Days before the year, before the month, and in it.
    let before = year - 1
    let leap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
    let lengths: [Int64] = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let yearDays = year == 0 ? -366 : before * 365 + before / 4 - before / 100 + before / 400
    let days = yearDays + lengths[..<Int(month - 1)].reduce(0, +) + day - 1 - 719_162
    let thousandths =
      Int64(
        String(decoding: (fraction + [0x30, 0x30, 0x30]).prefix(3), as: UTF8.self)) ?? 0
    return ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1_000 + thousandths
  }
}
