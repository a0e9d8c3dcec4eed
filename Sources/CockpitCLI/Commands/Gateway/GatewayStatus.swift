import ArgumentParser
import CockpitDomain
import CockpitHistory
import CockpitSession
import CockpitStores
import TerminalCore

/// `status` for a gateway.
@MainActor
enum GatewayStatus {
  /// Connects, prints the line and disconnects.
  ///
  /// - Throws: exit code 1 if something waits or is wrong, 3 or 4 if the gateway cannot be reached or refuses.
  static func run(
    _ settings: Settings, json: Bool, withinMs limitMs: Int, in environment: Environment
  ) async throws {
    let opened = try await OpenedSource.open(settings, on: environment.eventLoop)
    let model = CockpitModel(opened)
    let failure = await model.gatewayState(of: opened, withinMs: limitMs)
    opened.source.stop()
    if Task.isCancelled { throw Failure.interrupted }
    try GatewayStatusText(model.bot.control, name: opened.name, failure: failure)
      .write(json: json, takenAtMs: environment.wallMs(), to: environment.output)
  }

  /// Prints the state that was recorded last.
  ///
  /// - Throws: exit code 1 if something waited or was wrong.
  static func run(
    _ board: RecordedDocument, _ past: RecordedPast, asOf: String, json: Bool,
    in environment: Environment
  ) throws {
    try GatewayStatusText(
      recorded(board, past), name: past.name, failure: nil, recordedAtMs: past.nowMs
    )
    .write(
      json: json, takenAtMs: past.nowMs, asOf: asOf,
      missing: past.sentences(fromMs: board.atMs, toMs: past.nowMs), to: environment.output)
  }

  /// The state of a recording.
  static func recorded(_ board: RecordedDocument, _ past: RecordedPast) -> ControlStore {
    let control = ControlStore()
    board.body.withUnsafeBytes { control.apply(control: $0) }
    past.document(DocumentName.gateway.rawValue)?.body
      .withUnsafeBytes { control.apply(gateway: $0) }
    return control
  }
}

extension CockpitModel {
  /// Connects to a gateway, and waits until it has sent what waits and runs, and what it has.
  ///
  /// - Returns: why it has not; nil if it has.
  func gatewayState(of opened: OpenedSource, withinMs limitMs: Int) async -> Failure? {
    let bot = bot
    bot.start()
    await waitUntil(atMostNs: UInt64(limitMs) * 1_000_000, on: bot.clock) {
      bot.control.isKnown || bot.connection.status.failure != nil
    }
    if bot.control.isKnown { return nil }
    if let failure = bot.connection.status.failure { return opened.failure(failure) }
    return Failure(.connection, "The gateway did not answer within \(Double(limitMs) / 1000) s.")
  }
}
