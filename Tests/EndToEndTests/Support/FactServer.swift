import Foundation

/// A small Clanky for MEMORY: the memory routes of the wire contract (3.2, 3.5 and 6), both
/// streams, a log of every request, and faults by script.
///
/// `@unchecked Sendable`: everything that changes is in `state`, behind `lock`.
final class FactServer: @unchecked Sendable {
  /// The expected value of `x-dashboard-token`, unless a test gives another.
  static let token = "fact-token-4711-lantern"
  static let guild = "900000000000000101"
  static let otherGuild = "900000000000000102"

  private let lock = NSLock()
  private var state: State
  /// Held requests wait for it; it opens when the server stops.
  private let end = Gate()
  private var server: StubServer?

  private struct State {
    var book: FactBook
    var script: [FactFault.Entry] = []
    var requests: [FactRequest] = []
  }

  let token: String

  init(_ book: FactBook = .workshop, token: String = FactServer.token) throws {
    self.token = token
    state = State(book: book)
    server = try StubServer { [weak self] request in
      self?.answer(request) ?? StubReply(isClosed: true)
    }
  }

  deinit { stop() }

  func stop() {
    end.open()
    server?.stop()
  }

  var url: String { server?.url ?? "" }

  /// Every request so far, oldest first.
  var requests: [FactRequest] { lock.withLock { state.requests } }

  func requests(_ route: FactRoute) -> [FactRequest] { requests.filter { $0.route == route } }

  func count(_ route: FactRoute) -> Int { requests(route).count }

  /// Requests that would change something.
  var writes: [FactRequest] { requests.filter { !["GET", "HEAD"].contains($0.method) } }

  /// A fact as it is now; nil if it was deleted.
  func fact(_ id: Int) -> FactBook.Fact? { lock.withLock { state.book[id] } }

  /// A change of the facts by another client.
  func meanwhile(_ change: (inout FactBook) -> Void) { lock.withLock { change(&state.book) } }

  /// Has something happen to the next requests of a route, `skip` of them let through before.
  func script(_ route: FactRoute, _ fault: FactFault, times: Int = 1, skip: Int = 0) {
    lock.withLock {
      state.script.append(.init(route: route, fault: fault, left: times, skip: skip))
    }
  }

  /// Nothing goes wrong any more.
  func clearScript() { lock.withLock { state.script = [] } }

  // MARK: Answering

  private func answer(_ request: StubRequest) -> StubReply {
    let logged = FactRequest(request)
    guard request.headers["x-dashboard-token"] == token else {
      lock.withLock { state.requests.append(logged) }
      return .json(
        #"{"error":"Unauthorized. Provide x-dashboard-token."}"#, status: "401 Unauthorized")
    }
    let fault = lock.withLock { () -> FactFault? in
      state.requests.append(logged)
      return nextFault(for: logged.route)
    }
    guard let fault else { return reply(to: logged) }
    return fault.reply(until: end) {
      self.reply(to: logged)
    } change: {
      self.meanwhile($0)
    }
  }

  /// Called with the lock.
  private func nextFault(for route: FactRoute) -> FactFault? {
    guard let index = state.script.firstIndex(where: { $0.route == route }) else { return nil }
    guard state.script[index].skip == 0 else {
      state.script[index].skip -= 1
      return nil
    }
    state.script[index].left -= 1
    let fault = state.script[index].fault
    if state.script[index].left == 0 { state.script.remove(at: index) }
    return fault
  }

  private func reply(to request: FactRequest) -> StubReply {
    switch request.route {
    case .activity: FactRoutes.activity
    case .voice: FactRoutes.voice
    default:
      lock.withLock { FactRoutes.answer(request, &state.book) }
    }
  }
}

/// The route of a request.
enum FactRoute: String, Sendable {
  case activity, voice, health, stats, actions, guilds, channels, facts, subjects, search
  case reflections, markdown, profile, recall, ownerFacts, put, delete, purge, deleteRun, other

  init(_ method: String, _ path: String) {
    let isFact =
      path.hasPrefix("/api/memory/facts/") || path.hasPrefix("/api/memory/owner-private/facts/")
    switch (method, path) {
    case ("GET", "/api/activity/events"): self = .activity
    case ("GET", "/api/voice/events"): self = .voice
    case ("GET", "/api/health"): self = .health
    case ("GET", "/api/stats"): self = .stats
    case ("GET", "/api/actions"): self = .actions
    case ("GET", "/api/guilds"): self = .guilds
    case ("GET", "/api/memory"): self = .markdown
    case ("GET", "/api/memory/facts"): self = .facts
    case ("GET", "/api/memory/subjects"): self = .subjects
    case ("GET", "/api/memory/search"): self = .search
    case ("GET", "/api/memory/reflections"): self = .reflections
    case ("GET", "/api/memory/fact-profile"): self = .profile
    case ("POST", "/api/memory/runtime-snapshot"): self = .recall
    case ("GET", "/api/memory/owner-private/facts"): self = .ownerFacts
    case ("PUT", _) where isFact: self = .put
    case ("DELETE", _) where isFact: self = .delete
    case ("DELETE", "/api/memory/guild"): self = .purge
    case ("DELETE", _) where path.hasPrefix("/api/memory/reflections/"): self = .deleteRun
    case ("GET", _) where path.hasPrefix("/api/guilds/"): self = .channels
    default: self = .other
    }
  }
}

/// A request as the log keeps it.
struct FactRequest: Sendable, CustomStringConvertible {
  let route: FactRoute
  let method: String
  let path: String
  let query: [String: String]
  let body: [UInt8]
  /// Whether the backend parses the body at all (contract 1.6).
  let isJSON: Bool
  let token: String?

  init(_ request: StubRequest) {
    route = FactRoute(request.method, request.path)
    method = request.method
    path = request.path
    query = request.query
    body = request.body
    token = request.headers["x-dashboard-token"]
    isJSON = request.headers["content-type"]?.contains("application/json") ?? false
  }

  /// The body as one JSON object; anything else counts as an empty one.
  var object: [String: Any] {
    guard isJSON else { return [:] }
    return (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }

  func text(_ member: String) -> String? { object[member] as? String }

  /// The last part of the path.
  var id: String { path.split(separator: "/").last.map(String.init) ?? "" }

  var description: String { "\(method) \(path) \(query) \(String(decoding: body, as: UTF8.self))" }
}
