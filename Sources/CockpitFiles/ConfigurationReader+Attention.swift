import TOML
import TOMLKit

extension Configuration {
  /// How what a gateway asks for makes itself felt, from `[attention]`.
  package struct Attention: Hashable, Sendable {
    /// When nothing makes a noise.
    package enum Quiet: Hashable, Sendable {
      case always
      /// Minutes since midnight.
      case daily(from: Int, to: Int)

      /// `22:00..07:00`; nil for anything else.
      package init?(_ text: String) {
        guard let dots = text.firstRange(of: ".."),
          let from = Self.minutes(text[..<dots.lowerBound]),
          let to = Self.minutes(text[dots.upperBound...]), from != to
        else { return nil }
        self = .daily(from: from, to: to)
      }

      /// The value in the configuration file's syntax.
      package var text: String {
        switch self {
        case .always: "always"
        case .daily(let from, let to): Self.text(from) + ".." + Self.text(to)
        }
      }

      private static func text(_ minutes: Int) -> String {
        let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return parts.joined(separator: ":")
      }

      private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
          parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }),
          let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
      }

      private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    }

    /// Lists of `strip`, `card`, `bell`, `flash`, `notify` by the name of a level, empty for `off`.
    package var effects: [String: [String]] = [:]
    package var quiet: Quiet?
    /// Seconds until the level of an event falls by one.
    package var decay: Int?
    /// Seconds between two notifications.
    package var every: Int?

    package init() {}
  }
}

extension ConfigurationReader {
  mutating func read(attention table: TOMLTable) {
    typealias Key = Configuration.Key
    let path = ["attention"]
    check(table, keys: Key.names(in: "attention"), path)
    var attention = Configuration.Attention()
    for level in Key.attention.dropFirst() {
      attention.effects[level] = ways(table, level, path, of: Key.attentionEffects)
    }
    attention.quiet = quiet(table, path)
    attention.decay = number(table, "decay", Key.every, "seconds", path)
    attention.every = number(table, "every", Key.every, "seconds", path)
    configuration.attention = attention
  }

  private mutating func quiet(
    _ table: TOMLTable, _ path: [String]
  ) -> Configuration.Attention.Quiet? {
    guard let value = note(table, "quiet", path) else { return nil }
    if value.bool == false || value.string == "off" { return nil }
    if value.bool == true || value.string == "always" { return .always }
    if let quiet = value.string.flatMap(Configuration.Attention.Quiet.init) { return quiet }
    complain("quiet", path, "must be \"off\", \"always\", or times such as \"22:00..07:00\"")
    return nil
  }
}
