package import CockpitDomain
internal import LenientJSON
import Observation

/// What waits for the owner and what a gateway consists of; empty for a bot that has neither.
@MainActor
@Observable
package final class ControlStore {
  /// nil before the source has stated it, and for a Clanky bot.
  package private(set) var board: ControlBoard?
  package private(set) var overview: GatewayOverview?
  /// The same of a service of conversations; nil for all others.
  package private(set) var service: ServiceBoard?
  /// What an agent has drawn; nil before the first drawing.
  package private(set) var canvas: CanvasBoard?
  /// What was read because a tab shows it.
  package private(set) var findings = GatewayFindings()

  package init() {}

  /// Whether the source has stated what waits, and what it consists of.
  package var isKnown: Bool { board != nil && (overview != nil || service != nil) }

  package func apply(control json: UnsafeRawBufferPointer) {
    guard let value = try? JSONValue.parse(json), let new = ControlBoard(value), new != board else {
      return
    }
    board = new
  }

  package func apply(gateway json: UnsafeRawBufferPointer) {
    guard let value = try? JSONValue.parse(json), let new = GatewayOverview(value), new != overview
    else { return }
    overview = new
  }

  package func apply(service json: UnsafeRawBufferPointer) {
    guard let value = try? JSONValue.parse(json), let new = ServiceBoard(value), new != service
    else { return }
    service = new
  }

  package func apply(canvas json: UnsafeRawBufferPointer) {
    guard let value = try? JSONValue.parse(json), let new = CanvasBoard(value), new != canvas
    else { return }
    canvas = new
  }

  /// A lookup is on its way.
  package func note(asked lookup: GatewayLookup) { findings.note(asked: lookup) }

  /// - Parameter nowMs: the gateway's clock, ms since 1970.
  package func apply(
    _ lookup: GatewayLookup, _ result: Result<[UInt8], LookupFailure>, atMs nowMs: Int64
  ) {
    let value: Result<JSONValue, LookupFailure> = result.flatMap { json in
      (try? JSONValue.parse(json)).map { .success($0) }
        ?? .failure(LookupFailure("The answer could not be read."))
    }
    findings.take(lookup, value, atMs: nowMs)
  }
}
