internal import Networking
internal import ClankyWire

/// Re-reads one fact. There is no route for a single fact (contract 3.2), so it is searched for in
/// the list of its subject, in the newest facts, and by its text. A value without I/O.
struct FactRefetch: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case found(Fact)
    /// Everything was listed, and it is not there.
    case absent
    /// Not everything was listed, and it was not there.
    case lost
    case failed(RequestFailure)
  }

  private enum Step: Hashable {
    case subject(String)
    case newest
    case text(String)
  }

  let factID: Int
  private let target: FactTarget
  private var steps: [Step]
  private var texts: [String]

  /// - Parameters:
  ///   - subjects: subjects that it may have now, the likeliest first.
  ///   - texts: texts that it may have now.
  init(factID: Int, target: FactTarget, subjects: [String], texts: [String]) {
    self.factID = factID
    self.target = target
    var steps: [Step] = []
    if case .guild = target {
      for subject in subjects where !subject.isEmpty && !steps.contains(.subject(subject)) {
        steps.append(.subject(subject))
      }
    }
    self.steps = steps + [.newest]
    self.texts = texts.filter { !$0.isEmpty }
  }

  /// The next request; nil if there is none left.
  var request: RestRequest? {
    guard let step = steps.first else { return nil }
    guard case .guild(let guild) = target else {
      guard case .text(let text) = step else { return .ownerFacts() }
      return .ownerFacts(text: text)
    }
    return switch step {
    case .subject(let subject): .facts(guild: guild, subject: subject)
    case .newest: .facts(guild: guild)
    case .text(let text): .facts(guild: guild, text: text)
    }
  }

  /// Takes the answer to `request`; nil if another one is needed.
  mutating func take(_ result: Result<RestAnswer, RestFailure>) -> Outcome? {
    guard let step = steps.first else { return .lost }
    steps.removeFirst()
    let page: FactPage
    switch MemoryAnswer<FactPage>(result).result {
    case .success(let read): page = read
    case .failure(let failure): return .failed(failure)
    }
    if let fact = page.facts.first(where: { $0.id == factID }) { return .found(fact) }
    if step == .newest {
      // A row that cannot be read might be the one.
      let isWhole =
        page.facts.count < RestRequest.factLimit && page.omitted == 0
        && page.facts.allSatisfy { $0.id != nil }
      if isWhole { return .absent }
      for text in texts where !steps.contains(.text(text)) { steps.append(.text(text)) }
    }
    return steps.isEmpty ? .lost : nil
  }
}
