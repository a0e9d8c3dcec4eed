import CockpitSession
import CockpitStores
import CurlTransport
import MainLoop
import Networking
import OpenClawSource
import OpenClawWire

/// Tries the connection to a gateway that is being set up, and waits until it approves this device.
@MainActor
final class GatewayTrial {
  /// What came of it.
  enum Outcome {
    case greeted(GatewayHello, latencyMs: Int)
    /// The gateway asks its owner first; the sentence has the command.
    case pairing(ConnectRefusal)
    case failed(Failure)
  }

  private let transport: CurlTransport
  private let clock: DispatchClock
  private var connection: GatewayConnection?
  private let waits: Bool
  private var outcome: Outcome?
  private var lastLoss: GatewayLoss?
  private var pairing: (refusal: ConnectRefusal, deadlineNs: UInt64)?
  private var startNs: UInt64 = 0
  /// The pairing request whose command was printed last.
  private var known: ConnectRefusal?
  private var askedAgain: @MainActor (ConnectRefusal) -> Void = { _ in }
  private var waiter: (@MainActor () -> Void)?

  /// - Parameter waits: whether a device that is not approved asks again, every 20 s for 5 minutes.
  init(
    _ gateway: GatewaySettings, _ identity: GatewayIdentity, waits: Bool,
    in environment: Environment
  ) throws(Failure) {
    self.waits = waits
    let loop = environment.eventLoop
    clock = DispatchClock(loop: loop)
    transport = try gateway.transport(clock: clock, on: loop)
    connection = GatewayConnection(
      gateway.request, identity: identity, pollsPairing: waits, recovers: [],
      transport: transport, clock: clock, store: { _ in },
      tell: { [weak self] in self?.hear($0) })
  }

  /// Connects, once.
  ///
  /// - Parameters:
  ///   - limitMs: while the device is not waiting for its approval.
  ///   - known: the pairing request whose command was printed already.
  ///   - asked: called with the new pairing request when the gateway has rejected or dropped the former one. Its
  ///     sentence has the new command.
  ///   - tick: called every second while it is, with the seconds that are left.
  func run(
    withinMs limitMs: Int, known: ConnectRefusal? = nil,
    asked: @escaping @MainActor (ConnectRefusal) -> Void = { _ in },
    tick: @escaping @MainActor (Int) -> Void = { _ in }
  ) async -> Outcome {
    startNs = clock.nowNs
    self.known = known
    askedAgain = asked
    _ = clock.schedule(afterNs: Nanoseconds.milliseconds(UInt64(limitMs))) { [weak self] in
      self?.giveUp()
    }
    connection?.start()
    count(tick)
    await awaitCallback { done in
      if outcome == nil { waiter = done } else { done() }
    }
    close()
    if Task.isCancelled { return .failed(.interrupted) }
    return outcome ?? .failed(.interrupted)
  }

  /// Asks again now.
  func retry() { connection?.retry() }

  private func close() {
    connection?.stop()
    connection = nil
    transport.shutdown()
    clock.cancelAll()
  }

  private func count(_ tick: @escaping @MainActor (Int) -> Void) {
    if let pairing, waits { tick(Int(pairing.deadlineNs.since(clock.nowNs) / 1_000_000_000)) }
    _ = clock.schedule(afterNs: Nanoseconds.seconds(1)) { [weak self] in self?.count(tick) }
  }

  private func giveUp() {
    guard pairing == nil else { return }
    let why = lastLoss?.sentence ?? "The gateway did not answer in time."
    end(.failed(Failure(.connection, why)))
  }

  private func hear(_ notice: GatewayNotice) {
    switch notice {
    case .hello(let hello, _):
      end(.greeted(hello, latencyMs: Int((clock.nowNs - startNs) / 1_000_000)))
    case .state(.waiting(_, let loss)):
      lastLoss = loss
      // A gateway that is starting, or restarts while it is waited for, is asked again.
      guard !loss.isPassing, pairing == nil else { break }
      end(.failed(Failure(loss.code, loss.sentence)))
    case .state(.stopped(let loss)): end(.failed(Failure(loss.code, loss.sentence)))
    case .state(.pairing(_, let deadlineNs, let refusal)):
      if let known, known != refusal { askedAgain(refusal) }
      known = refusal
      pairing = (refusal, deadlineNs)
      if !waits { end(.pairing(refusal)) }
    case .state, .listed, .recovered, .gap, .event, .answer, .unread: break
    }
  }

  private func end(_ new: Outcome) {
    guard outcome == nil else { return }
    outcome = new
    let waiter = waiter
    self.waiter = nil
    waiter?()
  }
}
