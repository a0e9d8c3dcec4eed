package import ClankyWire

/// Which rules look at which rows.
package struct RuleRouter: Sendable {
  private let inputs: [RuleInput]
  /// Members of the metadata that some rule reads.
  package let keys: Set<String>
  /// Whether some rule compares prompts.
  package let wantsPrompts: Bool
  /// The rules that look at failures and at documents, by their places.
  private let failures: [Int]
  private let voice: [Int]
  private let health: [Int]
  private let outages: [Int]
  private let recorders: [Int]
  private let links: [Int]
  /// The rules by the name of a row, as far as a row with it has come.
  private var known: [String: [Int]] = [:]
  /// The same by label, for the log in memory.
  private var knownLabels: [ActionLabel: Bool] = [:]

  /// Names are the wire's: strangers could send any number of them.
  private static let maxKnown = 4096

  init(_ inputs: [RuleInput]) {
    self.inputs = inputs
    keys = inputs.reduce(into: ["sessionId", "source"]) { $0.formUnion($1.keys) }
    wantsPrompts = inputs.contains(where: \.prompts)
    func places(_ isMeant: (RuleInput) -> Bool) -> [Int] {
      inputs.indices.filter { isMeant(inputs[$0]) }
    }
    failures = places(\.failures)
    voice = places(\.voiceState)
    health = places(\.health)
    outages = places(\.outages)
    recorders = places(\.recorder)
    links = places(\.links)
  }

  /// Whether any rule looks at the rows with this label.
  package mutating func wants(_ label: ActionLabel) -> Bool {
    if let known = knownLabels[label] { return known }
    let wants =
      !rules(for: RuleRow.name(of: label)).isEmpty
      || (label.severity == .error || label.mayFail) && !failures.isEmpty
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
      if row.isFailure { found += failures.filter { !found.contains($0) } }
      found.removeAll { !inputs[$0].isOfBoth && inputs[$0].isOfGateway != row.isOfGateway }
      return found
    case .voice: return voice
    case .health: return health
    case .outage: return event.isOfRecorder ? recorders : outages
    case .link: return links
    }
  }
}
