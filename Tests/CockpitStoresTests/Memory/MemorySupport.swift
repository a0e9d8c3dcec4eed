import CockpitDomain
import Networking
import ClankyWire
import Foundation
import LenientJSON

@testable import CockpitStores

typealias WireFact = ClankyWire.Fact

/// A clock that stands still until it is moved.
@MainActor
final class HandClock: LinkClock {
  private(set) var nowNs: UInt64 = 1_000_000_000
  private(set) var wallMs: Int64 = 1_795_250_000_000
  private var timers: [Timer] = []

  final class Timer: LinkTimer {
    let dueNs: UInt64
    var body: (@MainActor () -> Void)?

    init(_ dueNs: UInt64, _ body: @escaping @MainActor () -> Void) {
      self.dueNs = dueNs
      self.body = body
    }

    func cancel() { body = nil }
  }

  func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer {
    let timer = Timer(nowNs + delayNs, body)
    timers.append(timer)
    return timer
  }

  func advance(seconds: Double) {
    let target = nowNs + UInt64(seconds * 1e9)
    while let next = timers.filter({ $0.body != nil && $0.dueNs <= target })
      .min(by: { $0.dueNs < $1.dueNs })
    {
      move(to: next.dueNs)
      let body = next.body
      next.body = nil
      body?()
    }
    move(to: target)
  }

  private func move(to target: UInt64) {
    wallMs += Int64(target - nowNs) / 1_000_000
    nowNs = target
  }
}

/// A backend with facts that follows contract 3.2 and 6 and can be made to misbehave.
@MainActor
final class FactBackend: RequestChannel {
  typealias Outcome = Result<RestAnswer, RestFailure>

  var guilds: [String] = ["g1"]
  var facts: [WireFact] = []
  var servesOwner = true
  /// Says what a request gets instead of an answer; nil lets the backend answer.
  var override: (RestRequest) -> Outcome? = { _ in nil }
  /// Does something before a request is answered.
  var before: (RestRequest) -> Void = { _ in }
  private(set) var log: [RestRequest] = []
  private(set) var mostAtOnce = 0
  private var waiting: [(RestRequest, @MainActor (Outcome) -> Void)] = []
  private var time: Int64 = 1_795_250_000_000

  final class Handle: RestHandle { func cancel() {} }

  var puts: [RestRequest] { log.filter { $0.method == .put } }
  var deletes: [RestRequest] { log.filter { $0.method == .delete } }
  var waitingCount: Int { waiting.count }

  func request(
    _ request: RestRequest, completion: @escaping @MainActor (Outcome) -> Void
  ) -> any RestHandle {
    log.append(request)
    waiting.append((request, completion))
    mostAtOnce = max(mostAtOnce, waiting.count)
    return Handle()
  }

  /// Answers one request, by default the oldest.
  func answer(_ index: Int = 0) {
    let (request, completion) = waiting.remove(at: index)
    before(request)
    completion(override(request) ?? .success(respond(request)))
  }

  /// Answers until no request is left.
  func settle() { while !waiting.isEmpty { answer() } }

  func clearLog() { log = [] }

  nonisolated static func answer(_ status: Int, _ body: String) -> Outcome {
    .success(RestAnswer(status: status, body: Array(body.utf8), latencyMs: 1))
  }

  nonisolated static func failure(_ failure: LinkFailure, mayHaveArrived: Bool = false) -> Outcome {
    .failure(RestFailure(failure: failure, mayHaveArrived: mayHaveArrived))
  }

  // MARK: The routes

  private func respond(_ request: RestRequest) -> RestAnswer {
    let path = request.target.segments
    var query: [String: String] = [:]
    for item in request.target.query { query[item.name] = item.value }
    switch (request.method, path.dropFirst().joined(separator: "/")) {
    case (.get, "guilds"):
      return json(
        .array(guilds.map { .body([("id", .string($0)), ("name", .string("name " + $0))]) }))
    case (.get, "memory/facts"): return list(query, facts.filter { isListed($0, query["guildId"]) })
    case (.get, "memory/owner-private/facts") where servesOwner:
      return list(query, facts.filter { $0.scope == .owner })
    case (.get, "memory/subjects"): return subjects(query["guildId"] ?? "")
    case (.put, _): return put(request)
    case (.delete, _): return delete(request)
    default: return RestAnswer(status: 404, body: Array("Not found.".utf8), latencyMs: 1)
    }
  }

  private func isListed(_ fact: WireFact, _ guild: String?) -> Bool {
    fact.guildID == nil || fact.guildID == guild
  }

  private func list(_ query: [String: String], _ facts: [WireFact]) -> RestAnswer {
    let limit = Int(query["limit"] ?? "") ?? 120
    let found =
      facts
      .filter { query["subject"] == nil || $0.subject == query["subject"] }
      .filter { query["q"] == nil || ($0.fact ?? "").contains(query["q"] ?? "") }
      .sorted {
        ($0.updatedAt?.milliseconds ?? 0, $0.id ?? 0) > (
          $1.updatedAt?.milliseconds ?? 0, $1.id ?? 0
        )
      }
      .prefix(limit)
    return json(
      .body([
        ("limit", .number(JSONNumber(text: "\(limit)"))), ("facts", .array(found.map(\.json))),
      ]))
  }

  private func subjects(_ guild: String) -> RestAnswer {
    struct Key: Hashable {
      var subject: String?
      var scope: FactScope?
    }
    let groups = Dictionary(grouping: facts.filter { isListed($0, guild) }) {
      Key(subject: $0.subject, scope: $0.scope)
    }
    let rows = groups.map { key, facts in
      JSONValue.body([
        ("subject", key.subject.map(JSONValue.string)),
        ("scope", key.scope.map { .string($0.rawValue) }),
        ("fact_count", .number(JSONNumber(text: "\(facts.count)"))),
      ])
    }
    return json(.body([("subjects", .array(Array(rows.prefix(500))))]))
  }

  private func body(_ request: RestRequest) -> JSONValue {
    (try? JSONValue.parse(request.body ?? [])) ?? .null
  }

  private func position(_ request: RestRequest) -> Int? {
    guard let id = Int(request.target.segments.last ?? ""),
      let index = facts.firstIndex(where: { $0.id == id })
    else { return nil }
    let isOwner = request.target.segments.contains("owner-private")
    if isOwner { return facts[index].scope == .owner ? index : nil }
    guard let guild = body(request)["guildId"]?.string, !guild.isEmpty else { return nil }
    return facts[index].guildID == nil || facts[index].guildID == guild ? index : nil
  }

  private func put(_ request: RestRequest) -> RestAnswer {
    guard let index = position(request) else { return refuse(404, "not_found") }
    let body = body(request)
    let text = String((body["fact"]?.string ?? "").prefix(400))
    if facts.contains(where: {
      $0.id != facts[index].id && $0.fact == text && $0.subject == facts[index].subject
    }) {
      return refuse(409, "duplicate")
    }
    time += 1000
    facts[index].fact = text
    facts[index].subject = body["subject"]?.string
    facts[index].factType = body["factType"]?.string.map(FactType.init(rawValue:))
    facts[index].evidenceText = body["evidenceText"]?.string
    facts[index].confidence = min(1, max(0, body["confidence"]?.double ?? 0))
    facts[index].updatedAt = WireTime(milliseconds: time)
    return json(.body([("ok", .bool(true)), ("fact", facts[index].json)]))
  }

  private func delete(_ request: RestRequest) -> RestAnswer {
    guard let index = position(request) else { return refuse(404, "not_found") }
    facts.remove(at: index)
    return json(.body([("ok", .bool(true)), ("deleted", .number(JSONNumber(text: "1")))]))
  }

  private func refuse(_ status: Int, _ error: String) -> RestAnswer {
    RestAnswer(
      status: status, body: Array("{\"ok\":false,\"error\":\"\(error)\"}".utf8), latencyMs: 1)
  }

  private func json(_ value: JSONValue) -> RestAnswer {
    RestAnswer(status: 200, body: Array(value.serialized().utf8), latencyMs: 1)
  }
}

/// A disk in memory that can be made to fail.
@MainActor
final class FakeStorage: MemoryStorage {
  struct Failure: Error, CustomStringConvertible { var description = "The disk is full." }

  var files: [String: [UInt8]] = [:]
  var aside: [String: [UInt8]] = [:]
  var lines: [[UInt8]] = []
  var isFull = false
  /// The journal has room, drafts have none.
  var isFullForDrafts = false

  func saveDraft(_ bytes: [UInt8], name: String) throws {
    if isFull || isFullForDrafts { throw Failure() }
    files[name] = bytes
  }

  func removeDraft(name: String) throws { files[name] = nil }
  func drafts() throws -> [(name: String, bytes: [UInt8])] {
    files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func draft(name: String) throws -> [UInt8]? { files[name] }

  func setDraftAside(name: String) throws { aside[name] = files.removeValue(forKey: name) }

  func appendToJournal(_ line: [UInt8]) throws {
    if isFull { throw Failure() }
    lines.append(line)
  }

  func journal(last count: Int) throws -> [[UInt8]] { Array(lines.suffix(count)) }

  /// The facts that another run of the program is changing.
  var others: Set<String> = []
  private(set) var turns: Set<String> = []

  func takeTurn(_ name: String) throws -> Bool {
    if isFull { throw Failure() }
    guard !others.contains(name) else { return false }
    turns.insert(name)
    return true
  }

  func endTurn(_ name: String) { turns.remove(name) }
}

/// A desk with everything it needs, made up.
@MainActor
struct DeskScene {
  let clock = HandClock()
  let backend = FactBackend()
  let storage: FakeStorage
  let store = MemoryStore()
  let service: MemoryService

  init(hasStorage: Bool = true, storage: FakeStorage = FakeStorage()) {
    self.storage = storage
    service = MemoryService(
      store: store, requester: backend, clock: clock, storage: hasStorage ? storage : nil,
      backend: "http://127.0.0.1:8787")
  }
}

/// A fact of a made-up guild.
func madeUpFact(
  _ id: Int, _ text: String? = nil, subject: String = "u1", scope: FactScope = .guild,
  guild: String? = "g1", type: FactType = .preference, confidence: Double = 0.5,
  updatedMs: Int64? = nil, evidence: String? = nil, source: String? = nil
) -> WireFact {
  let at = WireTime(milliseconds: updatedMs ?? 1_795_000_000_000 + Int64(id) * 1000)
  return WireFact(
    id: id, createdAt: at, updatedAt: at, scope: scope,
    guildID: scope == .guild ? guild : nil, userID: scope == .user ? subject : nil,
    subject: subject, fact: text ?? "fact number \(id)", factType: type, evidenceText: evidence,
    sourceMessageID: source, confidence: confidence, dialect: .may)
}
