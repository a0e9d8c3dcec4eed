import TerminalCore

/// The words of a look: `#94A3B8 on #101418 bold`, `bright-red bold`, `default dim`.
struct StyleWords {
  /// What the words may not say, as a sentence without its end.
  struct Mistake: Error {
    var problem: String
  }

  enum Color: Equatable {
    case standard
    case rgb(UInt32)
    case ansi(UInt8)
  }

  var foreground: Color?
  var background: Color?
  var attributes: Attributes = []

  init(_ text: String) throws(Mistake) {
    var isBackground = false
    // By bytes: every start reads a theme.
    for word in text.utf8.split(separator: UInt8(ascii: " ")) {
      let word = String(Substring(word))
      if word == "on" {
        isBackground = true
      } else if let attribute = Self.attributes.first(where: { $0.name == word })?.value {
        attributes.insert(attribute)
      } else if isBackground {
        guard background == nil else { throw Mistake(problem: "a second background, \"\(word)\"") }
        background = try Self.color(word)
      } else {
        guard foreground == nil else { throw Mistake(problem: "a second colour, \"\(word)\"") }
        foreground = try Self.color(word)
      }
    }
    if isBackground, background == nil { throw Mistake(problem: "no colour after \"on\"") }
  }

  private static let attributes: [(name: String, value: Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline),
    ("reverse", .reverse),
  ]

  private static let ansi = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black",
    "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white",
  ]

  private static func color(_ word: String) throws(Mistake) -> Color {
    if word == "default" { return .standard }
    if let color = hex(word) { return .rgb(color) }
    if let index = ansi.firstIndex(of: word) { return .ansi(UInt8(index)) }
    let known = ansi + attributes.map(\.name) + ["default", "on"]
    let hint = nearest(to: word, among: known).map { ", did you mean \"\($0)\"" } ?? ""
    throw Mistake(problem: "\"\(word)\" is no colour and no emphasis\(hint)")
  }

  /// `#RRGGBB`.
  static func hex(_ word: String) -> UInt32? {
    guard word.utf8.count == 7, word.utf8.first == UInt8(ascii: "#") else { return nil }
    var color: UInt32 = 0
    for byte in word.utf8.dropFirst() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): color = color << 4 | UInt32(byte & 0xF)
      case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        color = color << 4 | (UInt32(byte & 0xF) + 9)
      default: return nil
      }
    }
    return color
  }
}
