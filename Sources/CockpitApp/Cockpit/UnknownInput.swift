import TerminalCore

/// What the terminal sent that is not known here: each sequence stands in the log once, and not endlessly many.
package struct UnknownInput {
  private var names: Set<String> = []
  private let limit = 20

  /// What to say of a sequence; nil when it was said.
  package mutating func words(for bytes: [UInt8]) -> String? {
    guard names.count < limit else { return nil }
    let name = UnknownSequence.name(bytes).description
    guard names.insert(name).inserted else { return nil }
    let isLast = names.count == limit
    return "the terminal sent something unknown, which does nothing: \(name)"
      + (isLast ? "; more of that is not listed" : "")
  }
}
