import ClankyWire
import CockpitDomain
import LenientJSON
import Networking

@testable import CockpitDemo
@testable import CockpitStores

/// The demo backend without sockets: a request is answered when the test says so.
@MainActor
final class DemoSettingsBackend: RequestChannel {
  typealias Outcome = Result<RestAnswer, RestFailure>

  let world: World
  private let router: Router
  private(set) var log: [RestRequest] = []
  private var waiting: [@MainActor () -> Void] = []
  /// What happens before a request is answered, by its number in the log.
  var before: [Int: @MainActor () -> Void] = [:]
  /// Answers that replace the backend's, by the number of the request.
  var replaced: [Int: Outcome] = [:]

  final class Handle: RestHandle { func cancel() {} }

  init(_ dialect: DemoDialect = .may) {
    let options = DemoOptions(
      scenario: .quiet, token: "", dialect: dialect, publicHTTPS: false, history: 0)
    world = World(options: options, token: "")
    router = Router(options: options)
  }

  var puts: Int { log.count { $0.method == .put } }

  func request(
    _ request: RestRequest, completion: @escaping @MainActor (Outcome) -> Void
  ) -> any RestHandle {
    log.append(request)
    let number = log.count
    waiting.append { [self] in
      before[number]?()
      completion(replaced[number] ?? answer(request))
    }
    return Handle()
  }

  /// Answers everything that is and will be asked.
  func run() {
    while !waiting.isEmpty { waiting.removeFirst()() }
  }

  private func answer(_ request: RestRequest) -> Outcome {
    let wire = CockpitDemo.HTTPRequest(
      method: request.method.rawValue, target: "/" + request.target.segments.joined(separator: "/"),
      headers: ["content-type": "application/json", "host": "127.0.0.1"],
      body: request.body ?? [])
    switch router.route(wire, world) {
    case .reply(let reply):
      return .success(RestAnswer(status: reply.status, body: reply.body, latencyMs: 1))
    case .close, .activityStream, .voiceStream, .wait:
      return .failure(RestFailure(failure: .transport("closed"), mayHaveArrived: true))
    }
  }

  /// Somebody saves in the web form.
  func saveElsewhere(_ path: [String], _ value: DemoJSON) throws {
    try world.settings.save(world.settings.intent.placing(value, at: path[...]))
    world.settingsMs += 1000
  }

  /// What the bot has, read without the client.
  var truth: (intent: String, effective: String) {
    (
      String(decoding: world.settings.intent.serialized(), as: UTF8.self),
      String(decoding: world.settings.effective.serialized(), as: UTF8.self)
    )
  }
}

@MainActor
final class FakeSettingsStorage: SettingsStorage {
  struct Failure: Error {}
  var lines: [[UInt8]] = []
  var isFull = false
  var isTaken = false
  private(set) var turns: Set<String> = []

  func appendToSettingsJournal(_ line: [UInt8]) throws {
    if isFull { throw Failure() }
    lines.append(line)
  }

  func settingsJournal(last count: Int) throws -> [[UInt8]] { Array(lines.suffix(count)) }

  /// The drafts by name.
  var drafts: [String: [UInt8]] = [:]
  func saveSettingsDraft(_ bytes: [UInt8], name: String) throws {
    if isFull { throw Failure() }
    drafts[name] = bytes
  }
  func removeSettingsDraft(name: String) throws { drafts[name] = nil }
  func settingsDrafts() throws -> [[UInt8]] { Array(drafts.values) }

  func takeTurn(_ name: String) throws -> Bool {
    guard !isTaken else { return false }
    turns.insert(name)
    return true
  }

  func endTurn(_ name: String) { turns.remove(name) }

  var entries: [SettingsJournalEntry] { lines.compactMap(SettingsJournalEntry.init(line:)) }
}

/// A service with everything it needs.
@MainActor
struct SettingsScene {
  let clock = HandClock()
  let backend: DemoSettingsBackend
  let storage = FakeSettingsStorage()
  let store = SettingsStore()
  let service: SettingsService

  init(_ dialect: DemoDialect = .may, isReadOnly: Bool = false, hasStorage: Bool = true) {
    backend = DemoSettingsBackend(dialect)
    service = SettingsService(
      store: store, requester: backend, clock: clock, storage: hasStorage ? storage : nil,
      backend: "http://127.0.0.1:8787", isReadOnly: isReadOnly)
    service.perform(.load)
    backend.run()
  }

  var settings: BotSettings? { store.document.value }

  func edit(_ path: String, _ json: String?) throws -> SettingsEdit {
    SettingsEdit(
      settings ?? BotSettings(),
      changes: [(SettingPath(path) ?? SettingPath([]), try json.map { try .parse($0) })])
  }

  func save(_ path: String, _ json: String?) throws {
    service.perform(.save(try edit(path, json)))
    backend.run()
  }

  var stored: SettingsStored? {
    if case .stored(let stored)? = store.change?.state { stored } else { nil }
  }
}
