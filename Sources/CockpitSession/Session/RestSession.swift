import CockpitDomain
import ClankySource
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON

/// One run of a verb that asks the backend some questions and follows no stream.
@MainActor
package final class RestSession {
  package let settings: Settings
  package let clock: any LinkClock
  private let backend: Backend
  package let link: Link

  /// What is nice to know and not waited for longer, in ms: names.
  private static let niceTotalMs = 2000

  package init(_ settings: Settings) async throws {
    self.settings = settings
    backend = try await Backend.open(settings)
    clock = backend.clock
    link = backend.link(streams: [])
  }

  /// Now on the backend's clock, which has written the rows.
  package var nowMs: Int64 { link.status.serverMs(clock.wallMs) }

  package func ask(_ request: RestRequest) async -> Result<RestAnswer, RestFailure> {
    await link.answer(to: request)
  }

  /// An answer with a status of success.
  ///
  /// - Throws: one sentence, with the exit code of what went wrong.
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
      throw Failure(stranger: answer)
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

  /// A list whose elements can be read; throws as `value` does. How many cannot be read is said on
  /// stderr, with what they are.
  package func list<Row: WireReadable>(
    of target: RequestTarget, _ what: String
  ) async throws(Failure) -> [Row] {
    let list = try await value(of: target, WireList<Row>.init)
    if list.omitted > 0 {
      settings.output.complain("\(list.omitted) of the \(what) could not be read and are left out.")
    }
    return list.rows
  }

  /// Names of guilds and channels, and of the people who are in voice with the bot, as far as they
  /// come soon: a line without a name is still one.
  ///
  /// - Parameter log: rows that are shown: they name people too.
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

  /// Who is who by all rows, with pauses for a screen.
  private func learn(from log: ActionLog, into names: ConnectionStore) async {
    let scout = NameRequests(readsVoice: true)
    while scout.follow(log, into: names, budget: 100), !Task.isCancelled { await Task.yield() }
  }

  /// An answer that is nice to have; nil when it does not come soon.
  package func nice(_ target: RequestTarget) async -> JSONValue? {
    let request = RestRequest(.get, target, totalMs: Self.niceTotalMs)
    guard case .success(let answer) = await ask(request), answer.isSuccess else { return nil }
    return try? JSONValue.parse(answer.body, sparesRows: true)
  }
}
