package import CompanionWire

/// What agents ask for and what they may use: a pure fold. All times are monotonic ns with the machine's sleep
/// counted, so that neither a set clock nor a suspended process extends a grant.
package struct GrantBook: Sendable, Equatable {
  package struct Waiting: Sendable, Equatable {
    package var request: CapabilityRequest
    package var agent: String?
    package var sinceNs: UInt64
    /// Why its token is not valid: then it can only be denied.
    package var problem: String?
    /// When its token ends; nil without one.
    package var tokenEndNs: UInt64?
  }

  package struct Grant: Sendable, Equatable {
    package var request: String
    package var capability: Capability
    package var agent: String?
    package var decision: ClientMessage.Decision
    package var sinceNs: UInt64
    /// nil for one of the whole session.
    package var endNs: UInt64?
    /// How often it was used.
    package var uses: Int
  }

  /// What a request leads to.
  package enum Intake: Sendable, Equatable {
    /// The user is asked.
    case asked
    /// It was known already.
    case repeated
    case refused(GrantPolicy.Refusal)
    /// A live grant covers it.
    case covered(Grant)
  }

  package static let maximumWaiting = 50
  /// How long a `timed` grant lasts.
  package static let timedNs: UInt64 = 60_000_000_000
  /// How long a `once` grant may take to be used.
  package static let onceNs: UInt64 = 60_000_000_000

  package private(set) var waiting: [Waiting] = []
  package private(set) var grants: [Grant] = []
  /// Nonces of the tokens that were accepted in this session.
  package private(set) var nonces: Set<String> = []
  /// Ids of the requests of this session that were decided, so that a repeated one is not asked again.
  private var decided: Set<String> = []
  private static let maximumKept = 10_000

  package init() {}

  /// - Parameter checked: the result of `CapabilityToken.check`: when the token ends (monotonic), or why it is not
  ///   valid; nil without a token.
  package mutating func take(
    _ request: CapabilityRequest, agent: String?, policy: GrantPolicy,
    checked: Result<UInt64, CapabilityToken.Problem>?, nowNs: UInt64
  ) -> Intake {
    guard !decided.contains(request.id), !waiting.contains(where: { $0.request.id == request.id })
    else { return .repeated }
    if let refusal = policy.refusal(of: request.capability) {
      remember(request.id)
      return .refused(refusal)
    }
    var item = Waiting(request: request, agent: agent, sinceNs: nowNs)
    switch checked {
    case .success(let end):
      item.tokenEndNs = end
      if let nonce = request.token?.nonce, nonces.count < Self.maximumKept { nonces.insert(nonce) }
    case .failure(let problem): item.problem = problem.description
    case nil: if request.hasBrokenToken { item.problem = "it cannot be read" }
    }
    if item.problem == nil, let place = covering(item, nowNs) {
      grants[place].uses += 1
      remember(request.id)
      return .covered(grants[place])
    }
    guard waiting.count < Self.maximumWaiting else { return .refused(.busy) }
    waiting.append(item)
    return .asked
  }

  /// A grant is for one capability of one agent, and not for what its name begins with.
  private func covering(_ item: Waiting, _ nowNs: UInt64) -> Int? {
    grants.firstIndex { grant in
      grant.capability == item.request.capability && grant.agent == item.agent
        && grant.decision != .once && (grant.endNs.map { nowNs < $0 } ?? true)
    }
  }

  package static let choices: [ClientMessage.Decision] = [.deny, .once, .timed, .session]

  /// What may be chosen for a request.
  package func choices(for id: String) -> [ClientMessage.Decision] {
    guard let item = waiting.first(where: { $0.request.id == id }) else { return [] }
    return item.problem == nil ? Self.choices : [.deny]
  }

  /// Decides a request.
  ///
  /// - Returns: the grant; nil for a denial, for one that does not wait and for a choice that was not offered.
  package mutating func decide(
    _ id: String, _ decision: ClientMessage.Decision, nowNs: UInt64
  ) -> Grant? {
    guard let place = waiting.firstIndex(where: { $0.request.id == id }),
      choices(for: id).contains(decision)
    else { return nil }
    let item = waiting.remove(at: place)
    remember(id)
    guard decision != .deny else { return nil }
    var end: UInt64? =
      switch decision {
      case .once: nowNs + Self.onceNs
      case .timed: nowNs + Self.timedNs
      default: nil
      }
    // The agent may have asked for less, and its token may end sooner.
    if decision == .timed, let seconds = item.request.seconds, seconds > 0, seconds < 60 {
      end = nowNs + UInt64(seconds) * 1_000_000_000
    }
    if let tokenEnd = item.tokenEndNs { end = min(end ?? .max, tokenEnd) }
    if let end, end <= nowNs { return nil }
    let grant = Grant(
      request: id, capability: item.request.capability, agent: item.agent, decision: decision,
      sinceNs: nowNs, endNs: end, uses: decision == .once ? 0 : 1)
    grants.removeAll { $0.capability == grant.capability && $0.agent == grant.agent }
    grants.append(grant)
    return grant
  }

  private mutating func remember(_ id: String) {
    if decided.count < Self.maximumKept { decided.insert(id) }
  }

  /// Marks a `once` grant as used, which ends it.
  package mutating func use(_ request: String) -> Grant? {
    guard let place = grants.firstIndex(where: { $0.request == request }) else { return nil }
    grants[place].uses += 1
    let grant = grants[place]
    if grant.decision == .once { grants.remove(at: place) }
    return grant
  }

  /// Ends what is past its time.
  package mutating func expire(nowNs: UInt64) -> [Grant] {
    let over = grants.filter { $0.endNs.map { $0 <= nowNs } ?? false }
    grants.removeAll { grant in over.contains(grant) }
    return over
  }

  /// When the next grant ends; nil while none does.
  package var nextEndNs: UInt64? { grants.compactMap(\.endNs).min() }

  package mutating func revoke(_ capability: Capability) -> [Grant] {
    let over = grants.filter { $0.capability == capability }
    grants.removeAll { $0.capability == capability }
    return over
  }

  /// The connection is over, or everything is stopped: no grant and no request of it stays.
  package mutating func end() -> (grants: [Grant], waiting: [Waiting]) {
    defer { self = GrantBook() }
    return (grants, waiting)
  }
}
