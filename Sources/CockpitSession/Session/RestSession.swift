import CockpitDomain
import ClankySource
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON

/// One run of a verb that sends REST requests and opens no stream.
@MainActor
package final class RestSession {
  package let settings: Settings
  package let clock: any LinkClock
  private let backend: Backend
  package let link: Link

  /// Time limit for optional data such as names, in ms.
  private static let niceTotalMs = 2000

  package init(_ settings: Settings) async throws {
    backend = try await Backend.open(settings)
    self.settings = backend.settings
    clock = backend.clock
    link = backend.link(streams: [])
  }

  /// The address of the backend; the journals belong to it.
  package var address: String { backend.url.description }

  /// Now on the backend's clock, which has written the rows.
  package var nowMs: Int64 { link.status.serverMs(clock.wallMs) }

  package func ask(_ request: RestRequest) async -> Result<RestAnswer, RestFailure> {
    await link.answer(to: request)
  }

  /// An answer with a success status.
  ///
  /// - Throws: one sentence, with the matching exit code.
  package func answer(to target: RequestTarget) async throws(Failure) -> RestAnswer {
    switch await ask(RestRequest(.get, target)) {
    case .success(let answer) where answer.isSuccess: return answer
    case .success(let answer): throw Failure(RequestFailure(refusal: answer))
    case .failure(let failure): throw Failure(failure.failure)
    }
  }

  /// The same as a value of the wire.
  ///
  /// - Throws: exit code 3 besides when the body is something else: no Clanky backend says it.
  private func value<Value>(
    of target: RequestTarget, _ read: (JSONValue) -> Value?
  ) async throws(Failure) -> Value {
    let answer = try await answer(to: target)
    guard let value = (try? JSONValue.parse(answer.body, sparesRows: true)).flatMap(read) else {
      throw Failure(unexpected: answer)
    }
    return value
  }

  /// The voice state; throws as `value` does.
  package func voiceState() async throws(Failure) -> VoiceState {
    // Reading it forgives everything; but one of these names every backend says.
    try await value(of: .voiceState) { json in
      json["sessions"] == nil && json["activeCount"] == nil ? nil : VoiceState(json)
    }
  }

  /// The readable elements of a list; throws like `value`. Unreadable elements are counted in a
  /// message on stderr.
  package func list<Row: WireReadable>(
    of target: RequestTarget, _ what: String
  ) async throws(Failure) -> [Row] {
    let list = try await value(of: target, WireList<Row>.init)
    if list.omitted > 0 {
      settings.output.complain("\(list.omitted) of the \(what) could not be read and are left out.")
    }
    return list.rows
  }

  /// Names of guilds and channels, and of users in voice with the bot, as far as they arrive in
  /// time: a line without a name is still useful.
  ///
  /// - Parameter log: the rows to be shown, which also contain names.
  package func names(in log: ActionLog? = nil) async -> NameTable {
    let names = ConnectionStore(address: "")
    let guilds = await nice(RequestTarget(["api", "guilds"])).flatMap(WireList<Guild>.init)
    names.learn(guilds: guilds?.rows ?? [])
    // A bot is in a handful of guilds; a hostile list does not become a flood of requests.
    for id in (guilds?.rows ?? []).compactMap(\.id).prefix(50) {
      guard let json = await nice(RequestTarget(["api", "guilds", id, "channels"])) else { break }
      names.learn(channels: WireList<Channel>(json)?.rows ?? [])
    }
    if let state = await nice(.voiceState).flatMap(VoiceState.init) {
      names.learn(state, atMs: nowMs)
    }
    if let log { await learn(from: log, into: names) }
    return names.names
  }

  /// Learns the names of users from all rows, yielding to the screen.
  private func learn(from log: ActionLog, into names: ConnectionStore) async {
    let nameRequests = NameRequests(readsVoice: true)
    while nameRequests.follow(log, into: names, budget: 100), !Task.isCancelled {
      await Task.yield()
    }
  }

  /// An optional answer; nil if it does not arrive in time.
  package func nice(_ target: RequestTarget) async -> JSONValue? {
    let request = RestRequest(.get, target, totalMs: Self.niceTotalMs)
    guard case .success(let answer) = await ask(request), answer.isSuccess else { return nil }
    return try? JSONValue.parse(answer.body, sparesRows: true)
  }
}
