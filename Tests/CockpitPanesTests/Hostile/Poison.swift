import LenientJSON

/// Values that no honest backend sends, as the bytes of JSON values.
enum Poison {
  /// Text that users can type, and malformed values of a broken backend.
  static let texts: [[UInt8]] = {
    func escaped(_ scalars: some Sequence<UInt32>) -> String {
      scalars.map { scalar in
        let digits = String(scalar, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
    let spelled = [
      escaped(0..<0x20), escaped(0x7F...0x9F),
      "\\u001b[31mred\\u001b[2J\\u001b[999;999H\\u001bc\\u001b[?1049l",
      "\\u001b]0;title\\u0007\\u001b]52;c;cm0=\\u001b\\\\\\u001b]8;;http://x\\u001b\\\\",
      "\\u001bPq#0\\u001b\\\\\\u001b_apc\\u001b\\\\\\u001b^pm\\u001b\\\\\\u001bXsos\\u0007\\u009b2J",
      escaped([0x61C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)) + "evil",
      escaped(Array(0x2028...0x2029) + Array(0x200B...0x200D) + [0xFEFF, 0x2060, 0xFFF9, 0xFFFE]),
      "half \\ud83d", "\\udc00 other half", "\\ude00\\ud83d swapped",
      "👨‍👩‍👧‍👦🏳️‍🌈👍🏽1️⃣🇩🇪\u{E0041}\u{E0042}\u{FE0F}", "a" + String(repeating: "\\u0301\\u0334", count: 300),
      String(repeating: "世界﷽𒐫", count: 60), String(repeating: "x", count: 2500),
      "#(touch x)#[fg=red]#{pane_id} <b>&amp;</b> `id` $(id) %n ${x} ' \\\" \\\\",
      "line\\r\\nbreak\\ttab\\rback\\n\\n\\n", "שלום سلام हिन्दी 作者 한국어 🎉", "",
    ]
    let raw: [[UInt8]] = [
      [0x9B, 0x33, 0x31, 0x6D, 0xC3, 0x28, 0xFF, 0xFE], [0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80],
      [0xC0, 0x9B, 0xE0, 0x80, 0x9B, 0xF8, 0x88, 0x80, 0x80, 0x80],
    ]
    return spelled.map { Array("\"\($0)\"".utf8) } + raw.map { [0x22] + $0 + [0x22] }
  }()

  /// Values in place of a number (promise P11).
  static let numbers: [[UInt8]] = [
    "1e308", "-1e308", "1e400", "-1e400", "NaN", "Infinity", "-Infinity", "-0", "-1", "0",
    "1e-320", "9007199254740993", "-9007199254740993", "9223372036854775807",
    "-9223372036854775808", "18446744073709551616", "9223372036854775", "-9223372036854775",
    "8640000000000000", "999999999999", "0.30000000000000004", "\"NaN\"", "\"1e999\"", "\"-1e308\"",
    "\"\\u001b[31m7\"", "null", "true", "[]", "{}", "[1]", "\"\"",
  ].map { Array($0.utf8) }
}

/// Walks a document and writes it anew with odd leaves. In as many rounds as there are poisons
/// every leaf has been each of them once, beside neighbours that are another.
struct Poisoner {
  enum Leaves { case texts, numbers }

  var poisons: [[UInt8]]
  var leaves: Leaves
  var round: Int
  /// Members whose texts stay, because without them there is nothing to draw.
  var spared: Set<String> = []
  private var count = 0
  private var bytes: [UInt8] = []

  init(_ leaves: Leaves, round: Int, spared: Set<String> = []) {
    self.leaves = leaves
    self.round = round
    self.spared = spared
    poisons = leaves == .texts ? Poison.texts : Poison.numbers
  }

  static func document(
    _ text: String, _ leaves: Leaves, round: Int, spared: Set<String> = []
  ) throws -> [UInt8] {
    var poisoner = Poisoner(leaves, round: round, spared: spared)
    poisoner.write(try JSONValue.parse(text), key: "")
    return poisoner.bytes
  }

  private mutating func poison() -> [UInt8] {
    defer { count += 1 }
    return poisons[(count + round) % poisons.count]
  }

  private mutating func write(_ value: JSONValue, key: String) {
    switch value {
    case .object(let object):
      bytes.append(0x7B)
      for member in object.members {
        bytes += JSONText.quote(member.key) + [0x3A]
        write(member.value, key: member.key)
        bytes.append(0x2C)
      }
      // A key that nobody knows; raw views show it.
      let odd = poison()
      bytes += (odd.first == 0x22 ? odd : Array("\"odd\"".utf8)) + [0x3A] + odd + [0x7D]
    case .array(let list):
      bytes.append(0x5B)
      for (index, element) in list.enumerated() {
        if index > 0 { bytes.append(0x2C) }
        write(element, key: key)
      }
      bytes.append(0x5D)
    case .string where leaves == .texts && !spared.contains(key): bytes += poison()
    case .number where leaves == .numbers && !spared.contains(key): bytes += poison()
    default: bytes += Array(value.serialized().utf8)
    }
  }
}
