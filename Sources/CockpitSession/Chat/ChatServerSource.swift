import CockpitChat
import CockpitDomain
import MainLoop
import Networking

/// A server that can only be talked to, as a source: it has no rows. Whether it can be reached is asked of its list of
/// models.
@MainActor
package final class ChatServerSource: Source {
  package static let models = SourceChannel("models", transport: "HTTP")

  /// How often the list is asked for while it comes, ms.
  private static let periodMs: UInt64 = 60_000
  private static let firstRetryMs: UInt64 = 2_000

  package let chat: HTTPChat
  private let clock: any LinkClock
  private var known = SourceStatus()
  private weak var sink: (any SourceSink)?
  private var timer: (any LinkTimer)?
  private var retryMs = ChatServerSource.firstRetryMs
  private var isStarted = false
  private var isAsking = false
  private let refusals: RefusedRequests

  package init(_ chat: HTTPChat, clock: any LinkClock) {
    self.chat = chat
    self.clock = clock
    refusals = RefusedRequests("A chat server does not have this.", clock: clock)
    known[Self.models] = StreamStatus()
  }

  package var kind: SourceKind { .openai }
  package var status: SourceStatus { known }

  package func start(into sink: any SourceSink) {
    guard !isStarted else { return }
    isStarted = true
    self.sink = sink
    say { $0.overall = .connecting }
    ask()
  }

  package func stop() {
    isStarted = false
    timer?.cancel()
    timer = nil
    chat.cancelAll()
    isAsking = false
    refusals.cancelAll()
    say {
      $0.overall = .stopped
      $0.failure = nil
      $0.retryAtNs = nil
    }
  }

  package func retryNow() { if isStarted { ask() } }
  package func tick() {}
  package func reconcileNow() { retryNow() }
  package func fetchHistory(_ request: HistoryRequest) {}

  /// It has no routes of Clanky's.
  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle { refusals.refuse(completion) }

  private func ask() {
    guard !isAsking else { return }
    isAsking = true
    timer?.cancel()
    timer = nil
    chat.agents { [weak self] result in
      guard let self, isStarted else { return }
      isAsking = false
      switch result {
      case .success: hear()
      // It answers, and its model is known: only the list is missing.
      case .failure(let failure) where failure.kind == .unsupported && chat.server.namesModel:
        hear()
      case .failure(let failure): lose(failure)
      }
    }
  }

  private func hear() {
    retryMs = Self.firstRetryMs
    let now = clock.nowNs
    say {
      $0.overall = .live
      $0.failure = nil
      $0.retryAtNs = nil
      $0[Self.models].lastByteAtNs = now
    }
    again(afterMs: Self.periodMs)
  }

  private func lose(_ failure: ChatFailure) {
    let waitMs = failure.retryAfterMs.map { UInt64(clamping: $0) } ?? retryMs
    retryMs = min(retryMs * 2, Self.periodMs)
    let at = clock.nowNs + Nanoseconds.milliseconds(waitMs)
    say {
      $0.overall = .reconnecting
      $0.failure = .stated(failure.sentence)
      $0.retryAtNs = at
    }
    again(afterMs: waitMs)
  }

  private func again(afterMs waitMs: UInt64) {
    timer = clock.schedule(afterNs: Nanoseconds.milliseconds(waitMs)) { [weak self] in
      self?.timer = nil
      self?.ask()
    }
  }

  private func say(_ change: (inout SourceStatus) -> Void) {
    let before = known
    var changed = known
    change(&changed)
    changed.copyState(to: Self.models)
    known = changed
    guard known != before else { return }
    sink?.receive(.status(known), at: ReceiveTime(clock))
  }
}

extension OpenedSource {
  /// The chat server of the profile in use. Its token is looked for beside the main thread.
  static func openChatServer(
    _ settings: Settings, on loop: any EventLoop
  ) async throws -> OpenedSource {
    let server = try await OwnThread.run {
      Result { () throws(Failure) in try settings.chatServer() }
    }.get()
    let (transport, clock) = try transport(
      settings, caFile: settings.caFile, origin: try settings.originTLS(), to: server.base,
      on: loop)
    let source = ChatServerSource(
      HTTPChat(server, transport: transport, clock: clock), clock: clock)
    settings.process.scope?.onEnd { source.stop() }
    return OpenedSource(
      source, name: server.base.description, settings: settings, clock: clock)
  }
}
