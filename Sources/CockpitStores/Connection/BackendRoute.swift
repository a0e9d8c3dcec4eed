internal import Networking

/// Routes that an older or newer backend may not have, with what the cockpit does through them.
package enum BackendRoute: String, CaseIterable, Hashable, Sendable {
  case settings = "/api/settings"
  case search = "/api/memory/search"
  case reflections = "/api/memory/reflections"
  case markdown = "/api/memory"
  case profile = "/api/memory/fact-profile"
  case recall = "/api/memory/runtime-snapshot"
  case purge = "/api/memory/guild"
  case refreshMemory = "/api/memory/refresh"
  case ownerFacts = "/api/memory/owner-private/facts"
  case guilds = "/api/guilds"
  case join = "/api/voice/join"
  case leave = "/api/voice/leave"

  /// What there is not without it: `no settings to read`.
  package var words: String {
    switch self {
    case .settings: "no settings"
    case .search: "no search by meaning"
    case .reflections: "no reflections"
    case .markdown: "no summary of its memory"
    case .profile: "no facts loaded for a person"
    case .recall: "no answer to what it would recall"
    case .purge: "no purge of a guild"
    case .refreshMemory: "no new summary of its memory"
    case .ownerFacts: "no private facts of its owner"
    case .guilds: "no list of guilds"
    case .join: "no joining of voice"
    case .leave: "no leaving of voice"
    }
  }
}

extension BackendRoute {
  /// The routes that this backend does not serve, as far as they were asked for.
  @MainActor package static func unserved(
    memory: MemoryStore, operations: OperationsStore, settings: SettingsStore
  ) -> Set<BackendRoute> {
    var routes: Set<BackendRoute> = []
    func look<Value>(_ fetched: Fetched<Value>, _ route: BackendRoute) {
      if case .notServed = fetched { routes.insert(route) }
    }
    look(settings.document, .settings)
    look(memory.search, .search)
    look(memory.reflections, .reflections)
    look(memory.markdown, .markdown)
    look(memory.profile, .profile)
    look(memory.recall, .recall)
    look(memory.ownerPrivate, .ownerFacts)
    look(operations.guilds, .guilds)
    if operations.canLeave == false { routes.insert(.leave) }
    if case .failed(let failure, _) = operations.join, failure.cause.isMissingRoute {
      routes.insert(.join)
    }
    if case .failed(let failure, _) = operations.memoryRefresh, failure.cause.isMissingRoute {
      routes.insert(.refreshMemory)
    }
    let purge = memory.deletions.last { if case .guild? = $0.whole?.part { true } else { false } }
    if purge?.whole?.failure?.isMissingRoute == true { routes.insert(.purge) }
    return routes
  }
}

extension RequestFailure {
  /// Whether the route is missing where others answer: the router's own 404 or 405. A 404 with other
  /// words is about what was asked for.
  package var isMissingRoute: Bool {
    switch self {
    case .unanswered(let failure):
      switch failure.failure {
      case .noRoute, .requestRejected(405, _): true
      default: false
      }
    case .refused(405, _): true
    case .refused(404, let words): words == nil || words == "Not found."
    default: false
    }
  }
}
