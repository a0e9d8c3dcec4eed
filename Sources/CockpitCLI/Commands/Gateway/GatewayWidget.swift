import ArgumentParser
import CockpitDomain
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import CockpitVoice
import Foundation
import LenientJSON

/// `widget` for a gateway.
@MainActor
struct GatewayWidget {
  let printer: WidgetPrinter
  /// The whole verb ends within this time, ms.
  let limitMs: Int

  /// Connects, prints and disconnects.
  ///
  /// - Throws: the exit code, as that of `status`.
  func run(_ settings: Settings, in environment: Environment) async throws -> Never {
    let start = DispatchTime.now().uptimeNanoseconds
    let opened = try await OpenedSource.open(settings, on: environment.eventLoop)
    let model = CockpitModel(opened)
    let spentMs = Int((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000)
    let failure = await model.gatewayState(of: opened, withinMs: max(100, limitMs - spentMs))
    opened.source.stop()
    if Task.isCancelled { throw Failure.interrupted }
    let status = GatewayStatusText(model.bot.control, name: opened.name, failure: failure)
    try end(
      status, nowMs: model.bot.serverNowMs, takenAtMs: environment.wallMs(), ageMs: nil,
      voice: settings.voice.flatMap { _ in VoiceNote(settings)?.load() })
  }

  /// Prints the state that was recorded last.
  ///
  /// - Throws: the exit code.
  func run(_ board: RecordedDocument, _ past: RecordedPast) throws -> Never {
    let status = GatewayStatusText(
      GatewayStatus.recorded(board, past), name: past.name, failure: nil, recordedAtMs: past.nowMs)
    try end(
      status, nowMs: past.nowMs, takenAtMs: past.nowMs,
      ageMs: max(0, printer.environment.wallMs() - past.nowMs))
  }

  private func end(
    _ status: GatewayStatusText, nowMs: Int64, takenAtMs: Int64, ageMs: Int64?,
    voice: VoicePhase? = nil
  ) throws -> Never {
    let glance = GatewayGlance(
      status: status, nowMs: nowMs, ageMs: ageMs, symbols: printer.symbols,
      voice: voice)
    printer.environment.output.write(bytes(glance, takenAtMs: takenAtMs))
    if let failure = status.failure { printer.environment.output.complain(failure.description) }
    throw ExitCode(status.exitCode)
  }

  private func bytes(_ glance: GatewayGlance, takenAtMs: Int64) -> [UInt8] {
    let status = glance.status
    let lines = glance.lines(printer.size, columns: printer.columns)
    switch printer.format {
    case .plain, .tmux: return printer.bytes(lines)
    case .json:
      let json = status.json(takenAtMs: takenAtMs) { line in
        line.int("age_ms", Int(clamping: glance.ageMs ?? 0))
        line.bool("stale", glance.ageMs != nil)
        line.value("lines", .array(lines.map { .string(BarFormat.plain($0)) }))
      }
      return json + [0x0A]
    case .waybar:
      let percentage = ["ok": 100, "waits": 50, "warn": 50][status.state] ?? 0
      return BarFormat.waybar(
        lines, tooltip: glance.lines(.large, columns: 80), detail: status.failure?.description,
        state: status.state, classes: [status.state] + (glance.ageMs == nil ? [] : ["stale"]),
        percentage: percentage) + [0x0A]
    }
  }
}
