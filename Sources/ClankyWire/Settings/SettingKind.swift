import LenientJSON

/// What the backend makes of the value of a setting.
///
/// It refuses nothing: what does not fit is clamped, cut, defaulted or dropped without a word.
package enum SettingKind: Hashable, Sendable {
  case bool
  /// Whole numbers, rounded down.
  case int(ClosedRange<Double>)
  case number(ClosedRange<Double>)
  /// A text of so many UTF-16 units, trimmed.
  case text(Int)
  /// Texts: how many, and how long each.
  case list(Int, Int)
  /// One of these words, or numbers.
  case choice([String])
  /// Some of these words, in an order.
  case choices([String])
  /// Scheme, host and port.
  case url
  /// `{provider, model}`.
  case binding
  /// `{mode, model, temperature, …}`: which model does a piece of work.
  case policy
  /// The name of a coding worker, or several.
  case worker, workers
  /// Anything: everything inside is kept.
  case free
  /// Objects of a fixed shape, and how many.
  case objects(Int)

  /// Reads the notation of the tables; nil if it is none.
  init?(_ notation: String) {
    let parts = notation.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = parts.count > 1 ? parts[1] : ""
    switch parts.first {
    case "bool": self = .bool
    case "int", "num":
      guard let dots = rest.firstRange(of: ".."), let low = Double(rest[..<dots.lowerBound]),
        let high = Double(rest[dots.upperBound...]), low <= high
      else { return nil }
      self = parts.first == "int" ? .int(low...high) : .number(low...high)
    case "text", "line", "block", "tag", "name":
      guard let limit = Int(rest) else { return nil }
      self = .text(limit)
    case "list":
      let sizes = rest.split(separator: "x").compactMap { Int($0) }
      guard sizes.count == 2 else { return nil }
      self = .list(sizes[0], sizes[1])
    case "choice", "choices":
      let words = rest.split(separator: ",").map { word in
        let word = String(word.drop { $0 == " " })
        return word == "\"\"" ? "" : word
      }
      self = parts.first == "choice" ? .choice(words) : .choices(words)
    case "url": self = .url
    case "binding": self = .binding
    case "policy": self = .policy
    case "worker": self = .worker
    case "workers": self = .workers
    case "free": self = .free
    case "objects":
      guard let count = Int(rest) else { return nil }
      self = .objects(count)
    default: return nil
    }
  }

  /// What may be put in, in a few words.
  package var words: String {
    switch self {
    case .bool: "true or false"
    case .int(let range):
      "a whole number from \(Self.digits(range.lowerBound)) to \(Self.digits(range.upperBound))"
    case .number(let range):
      "a number from \(Self.digits(range.lowerBound)) to \(Self.digits(range.upperBound))"
    case .text(let limit): "text of at most \(limit) characters"
    case .list(let count, let length): "a list of at most \(count) texts of \(length) characters"
    case .choice(let words):
      "one of " + words.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
    case .choices(let words): "a list of " + words.joined(separator: ", ")
    case .url: "an http or https address; only scheme, host and port are kept"
    case .binding: "an object with provider and model"
    case .policy: "an object with mode (inherit_orchestrator, dedicated_model, disabled) and model"
    case .worker: "a coding worker: claude_code or codex_cli"
    case .workers: "a list of coding workers: claude_code, codex_cli"
    case .free: "any JSON object"
    case .objects(let count): "a list of at most \(count) JSON objects"
    }
  }

  /// The word for a column.
  package var shortWord: String {
    switch self {
    case .bool: "switch"
    case .int: "whole number"
    case .number: "number"
    case .text: "text"
    case .list, .choices, .workers: "list"
    case .choice: "choice"
    case .url: "address"
    case .binding: "model"
    case .policy: "policy"
    case .worker: "worker"
    case .free: "object"
    case .objects: "objects"
    }
  }

  /// A number without a needless fraction.
  package static func digits(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
