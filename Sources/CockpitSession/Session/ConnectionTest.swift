import CockpitAnswers
import CockpitDomain
import ClankySource
import CurlTransport
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import MainLoop

/// The result of a first exchange with a backend.
package struct ConnectionReport: Sendable {
  /// To the header of the first answer, connecting included.
  package var latencyMs: Double
  /// Server clock minus ours; nil if the server sent no time.
  package var skewMs: Int?
  /// How the bot itself is, by the statistics.
  package var bot = TriageReport()
}

/// Tests a connection: requests `/api/health`, which also needs the token (wire contract 1), then
/// `/api/stats`, whose answer identifies a Clanky backend.
@MainActor
package final class ConnectionTest {
  private let link: Link
  private let clock: any LinkClock
  private let token: TokenText?
  private let patienceMs: Int

  /// - Parameters:
  ///   - patience: time limit of the whole test.
  ///   - tunnel: the way to the address, on the clock of the test.
  ///   - scope: the surrounding run; nil if the test owns the process.
  /// - Throws: exit code 2 if `caFile` cannot be used.
  package init(
    url: BackendURL, token: TokenText?, caFile: String? = nil,
    origin: OriginTLS? = nil, tunnel: (any LinkClock) -> SSHTunnel? = { _ in nil },
    patience: Duration = .seconds(12),
    in scope: RunScope? = nil
  ) throws(Failure) {
    let transport: CurlTransport
    let loop = scope?.loop ?? DispatchLoop()
    let clock = DispatchClock(loop: loop)
    self.clock = clock
    do throws(CurlTransport.Problem) {
      transport = try CurlTransport(
        clock: clock, loop: loop, caFile: caFile, origin: origin, tunnel: tunnel(clock))
    } catch {
      throw Failure(error)
    }
    self.token = token
    patienceMs = Int(patience / .milliseconds(1))
    link = Link(
      configuration: LinkConfiguration(baseURL: url, token: token, streams: [], caFile: caFile),
      transport: transport, clock: clock)
    scope?.onEnd { [link] in
      link.stop()
      transport.shutdown()
      clock.cancelAll()
    }
  }

  /// - Returns: the report, or the reason why there is none.
  package func run() async -> Result<ConnectionReport, LinkFailure> {
    let start = clock.nowNs
    let health = await ask(RequestTarget(["api", "health"]), within: patienceMs)
    switch health {
    case .failure(let failure): return .failure(failure)
    case .success(let answer) where answer.json?["ok"]?.bool != true:
      return .failure(.notClanky(.otherJSON))
    case .success(let answer):
      let left = patienceMs - Int((clock.nowNs - start) / 1_000_000)
      let stats = await ask(.stats(guild: nil), within: max(1, left))
      switch stats {
      case .failure(let failure): return .failure(failure)
      case .success(let answer) where answer.json?["stats"]?.object == nil:
        return .failure(.notClanky(.otherJSON))
      case .success(let stats):
        let runtime = stats.json.flatMap(StatsEnvelope.init)?.runtime
        return .success(
          ConnectionReport(
            latencyMs: answer.latencyMs, skewMs: link.status.skewMs,
            bot: .once(runtime, nowMs: clock.wallMs)))
      }
    }
  }

  /// The backend's dialect; nil if the routes that distinguish the dialects do not answer.
  package func dialect() async -> BackendDialect? {
    let answer = await ask(RequestTarget(["api", "oauth", "status"]), within: 2000)
    guard case .success(let answer) = answer else { return nil }
    return BackendDialect.ofOAuthStatus(answer.status)
  }

  private func ask(
    _ target: RequestTarget, within ms: Int
  ) async -> Result<RestAnswer, LinkFailure> {
    switch await link.answer(to: RestRequest(.get, target, totalMs: ms)) {
    case .success(let answer) where answer.isSuccess: return .success(answer)
    case .success(let answer):
      let said = answer.json?["error"]?.string ?? ""
      let message = token?.redact(said) ?? said
      return .failure(
        answer.status >= 500
          ? .serverError(status: answer.status, message: message)
          : .requestRejected(status: answer.status, message: message))
    case .failure(let failure): return .failure(failure.failure)
    }
  }
}

extension RestAnswer {
  fileprivate var json: JSONValue? {
    guard case .success(let value) = Result(catching: { try JSONValue.parse(body) }) else {
      return nil
    }
    return value
  }
}
