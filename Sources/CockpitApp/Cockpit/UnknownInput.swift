import TerminalCore

/// Unrecognised input sequences of the terminal: each is logged once, up to a limit.
package struct UnknownInput {
  private var names: Set<String> = []
  private let limit = 20

  /// The log line for a sequence; nil if it was logged.
  package mutating func words(for bytes: [UInt8]) -> String? {
    guard names.count < limit else { return nil }
    let name = UnknownSequence.name(bytes).description
    guard names.insert(name).inserted else { return nil }
    let isLast = names.count == limit
    return "the terminal sent something unknown, which does nothing: \(name)"
      + (isLast ? "; more of that is not listed" : "")
  }
}
