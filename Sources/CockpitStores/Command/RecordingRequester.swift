internal import LenientJSON
package import CockpitDomain
package import Networking
internal import ClankyWire

/// Passes requests on, writes down the outcome of those that change something, and notes routes that are missing.
@MainActor
package final class RecordingRequester: RequestChannel {
  private let base: any RequestChannel
  private let history: ClientLogRecorder
  private let clock: any LinkClock
  private let connection: ConnectionStore?

  /// - Parameter connection: where missing routes are noted.
  package init(
    _ base: any RequestChannel, history: ClientLogRecorder, clock: any LinkClock,
    connection: ConnectionStore? = nil
  ) {
    self.base = base
    self.connection = connection
    self.history = history
    self.clock = clock
  }

  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    let startNs = clock.nowNs
    return base.request(request) { [weak self] result in
      self?.connection?.note(request, result)
      if request.changesSomething { self?.note(request, result, startNs: startNs) }
      completion(result)
    }
  }

  private func note(
    _ request: RestRequest, _ result: Result<RestAnswer, RestFailure>, startNs: UInt64
  ) {
    // Paths hold ids but no user text; bodies are left out.
    let name = "\(request.method.rawValue) /\(request.target.segments.joined(separator: "/"))"
    let time = "\(clock.nowNs.since(startNs) / 1_000_000) ms"
    // No backend of version 1 has this route; the user is told so (`LeaveText`), and it is no
    // failure.
    if request.target.segments == ["api", "voice", "leave"], result.isMissingRoute {
      return history.note(.info, "\(name): no such route, \(time).")
    }
    switch ChangeAnswer(result) {
    case .answered(let json, _) where json["ok"]?.bool == false:
      history.note(.warning, "\(name): refused\(Self.detail(ErrorBody(json).message)), \(time).")
    case .answered(let json, _):
      history.note(.info, "\(name): ok\(Self.detail(json["reason"]?.string)), \(time).")
    case .refused(let status, let words):
      history.note(
        .warning, "\(name): refused with \(status)\(Self.detail(words)), \(time).")
    case .notSent(let failure):
      history.note(.error, "\(name): not done. \(failure.description)")
    case .unknown(let doubt, _):
      history.note(.error, "\(name): outcome unknown after \(time). \(doubt)")
    }
  }

  private static func detail(_ words: String?) -> String {
    words.map { " (\($0.prefix(200)))" } ?? ""
  }
}

extension RestRequest {
  /// Whether it changes something on the backend. `runtime-snapshot` is a question, with a body
  /// because it is long (contract 6.7).
  var changesSomething: Bool {
    method != .get && target.segments != ["api", "memory", "runtime-snapshot"]
  }
}
