package import ClankyWire

/// Which rules look at which rows.
package struct RuleRouter: Sendable {
  private let inputs: [RuleInput]
  /// Members of the metadata that some rule reads.
  package let keys: Set<String>
  /// The rules by the name of a row, as far as a row with it has come.
  private var known: [String: [Int]] = [:]
  /// The same by label, for the log in memory.
  private var knownLabels: [ActionLabel: Bool] = [:]

  /// Names are the wire's: strangers could send any number of them.
  private static let maxKnown = 4096

  init(_ inputs: [RuleInput]) {
    self.inputs = inputs
    keys = inputs.reduce(into: ["sessionId"]) { $0.formUnion($1.keys) }
  }

  /// Whether any rule looks at the rows with this label.
  package mutating func wants(_ label: ActionLabel) -> Bool {
    if let known = knownLabels[label] { return known }
    let wants =
      !rules(for: RuleRow.name(of: label)).isEmpty
      || (label.severity == .error || label.mayFail) && inputs.contains(where: \.failures)
    if knownLabels.count < Self.maxKnown { knownLabels[label] = wants }
    return wants
  }

  /// The rules that look at rows with this name, by their places.
  mutating func rules(for name: String) -> [Int] {
    if let known = known[name] { return known }
    let found = inputs.indices.filter { place in
      let input = inputs[place]
      return input.everyRow || input.names.contains(name)
        || input.prefixes.contains { name.hasPrefix($0) }
        || input.suffixes.contains { name.hasSuffix($0) }
    }
    if known.count < Self.maxKnown { known[name] = found }
    return found
  }

  /// The rules that look at an event.
  mutating func rules(for event: RuleEvent) -> [Int] {
    switch event.body {
    case .row(let row):
      var found = rules(for: row.name)
      if row.isFailure {
        for place in inputs.indices where inputs[place].failures && !found.contains(place) {
          found.append(place)
        }
      }
      return found
    case .voice: return inputs.indices.filter { inputs[$0].voiceState }
    case .health: return inputs.indices.filter { inputs[$0].health }
    case .outage: return inputs.indices.filter { inputs[$0].outages }
    }
  }
}
