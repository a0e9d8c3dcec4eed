internal import Networking

/// Routes that an older or newer backend may not have, with what the cockpit does through them.
package enum BackendRoute: String, CaseIterable, Hashable, Sendable {
  case settings = "/api/settings"
  case saveSettings = "PUT /api/settings"
  case presetSettings = "/api/settings/preset-defaults"
  case resetSettings = "/api/settings/reset"
  case applySettings = "/api/settings/refresh"
  case facts = "/api/memory/facts"
  case subjects = "/api/memory/subjects"
  case editFact = "PUT /api/memory/facts"
  case deleteFact = "DELETE /api/memory/facts"
  case search = "/api/memory/search"
  case reflections = "/api/memory/reflections"
  case deleteRun = "DELETE /api/memory/reflections"
  case markdown = "/api/memory"
  case profile = "/api/memory/fact-profile"
  case recall = "/api/memory/runtime-snapshot"
  case purge = "/api/memory/guild"
  case refreshMemory = "/api/memory/refresh"
  case ownerFacts = "/api/memory/owner-private/facts"
  case guilds = "/api/guilds"
  case channels = "/api/guilds/…/channels"
  case automations = "/api/automations"
  case runs = "/api/automations/runs"
  case browsers = "/api/agents/browser-sessions"
  case accounts = "/api/oauth/status"
  case pastSessions = "/api/voice/history/sessions"
  case pastEvents = "/api/voice/history/sessions/…/events"
  case join = "/api/voice/join"
  case leave = "/api/voice/leave"

  /// What there is not without it: `no settings to read`.
  package var words: String {
    switch self {
    case .settings: "no settings"
    case .saveSettings: "no way to change its settings"
    case .presetSettings: "no presets of settings"
    case .resetSettings: "no reset of its settings"
    case .applySettings: "no way to apply its settings to live sessions"
    case .facts: "no facts to list"
    case .subjects: "no subjects of facts"
    case .editFact: "no way to change facts"
    case .deleteFact: "no way to delete facts"
    case .search: "no search by meaning"
    case .reflections: "no reflections"
    case .deleteRun: "no way to delete a reflection run"
    case .markdown: "no summary of its memory"
    case .profile: "no facts loaded for a person"
    case .recall: "no answer to what it would recall"
    case .purge: "no purge of a guild"
    case .refreshMemory: "no new summary of its memory"
    case .ownerFacts: "no private facts of its owner"
    case .guilds: "no list of guilds"
    case .channels: "no list of channels"
    case .automations: "no automations"
    case .runs: "no runs of automations"
    case .browsers: "no list of browser agents"
    case .accounts: "no list of accounts"
    case .pastSessions: "no list of past voice sessions"
    case .pastEvents: "no events of past voice sessions"
    case .join: "no joining of voice"
    case .leave: "no leaving of voice"
    }
  }

  /// Whether it is asked for only when a person changes something with it: that it is missing shows at the first
  /// use, since no harmless request tells.
  package var isTried: Bool {
    switch self {
    case .saveSettings, .presetSettings, .resetSettings, .applySettings, .editFact, .deleteFact,
      .deleteRun, .purge, .refreshMemory, .join, .leave:
      true
    default: false
    }
  }

  /// The route of a request; nil for those that every backend has.
  init?(_ request: RestRequest) {
    let path = request.target.segments
    guard path.first == "api" else { return nil }
    let found = Self.find(request.method, Array(path.dropFirst()))
    guard let found else { return nil }
    self = found
  }

  private static func find(_ method: HTTPMethod, _ path: [String]) -> BackendRoute? {
    switch (method, path.first, path.dropFirst().first) {
    case (.get, "settings", nil): .settings
    case (.put, "settings", nil): .saveSettings
    case (.post, "settings", "preset-defaults"): .presetSettings
    case (.post, "settings", "reset"): .resetSettings
    case (.post, "settings", "refresh"): .applySettings
    case (_, "memory", let part): memory(method, part)
    case (.get, "guilds", let guild): guild == nil ? .guilds : .channels
    case (.get, "automations", let part): part == nil ? .automations : .runs
    case (.get, "agents", "browser-sessions"): .browsers
    case (.get, "oauth", "status"): .accounts
    case (.get, "voice", "history"): path.last == "events" ? .pastEvents : .pastSessions
    case (.post, "voice", "join"): .join
    case (.post, "voice", "leave"): .leave
    default: nil
    }
  }

  private static func memory(_ method: HTTPMethod, _ part: String?) -> BackendRoute? {
    switch (method, part) {
    case (.get, nil): .markdown
    case (.get, "facts"): .facts
    case (.put, "facts"): .editFact
    case (.delete, "facts"): .deleteFact
    case (.get, "subjects"): .subjects
    case (.get, "search"): .search
    case (.get, "reflections"): .reflections
    case (.delete, "reflections"): .deleteRun
    case (.get, "fact-profile"): .profile
    case (.post, "runtime-snapshot"): .recall
    case (.delete, "guild"): .purge
    case (.post, "refresh"): .refreshMemory
    case (.get, "owner-private"): .ownerFacts
    default: nil
    }
  }
}

extension BackendRoute {
  /// The routes that this backend does not serve, as far as they were asked for.
  @MainActor package static func unserved(
    connection: ConnectionStore, memory: MemoryStore, operations: OperationsStore,
    settings: SettingsStore
  ) -> Set<BackendRoute> {
    var routes = connection.missingRoutes
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
    look(operations.browserSessions, .browsers)
    look(operations.accounts, .accounts)
    if operations.canLeave == false { routes.insert(.leave) }
    // Who cannot read the settings cannot change them.
    if routes.contains(.settings) { routes.formUnion([.saveSettings, .applySettings]) }
    if routes.contains(.reflections) { routes.insert(.deleteRun) }
    return routes
  }
}

extension Result where Success == RestAnswer, Failure == RestFailure {
  /// Whether the route is missing where others answer: the router's own 404 or 405, without words or with its
  /// own. A 404 with other words is about what was asked for.
  var isProvenMissingRoute: Bool {
    switch self {
    case .success(let answer): RequestFailure(refusal: answer).isMissingRoute
    case .failure(let failure): RequestFailure.unanswered(failure).isMissingRoute
    }
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
