internal import LenientJSON
import Observation

/// What waits for the owner and what a gateway consists of; empty for a bot that has neither.
@MainActor
@Observable
package final class ControlStore {
  /// nil before the source has stated it, and for a Clanky bot.
  package private(set) var board: ControlBoard?
  package private(set) var overview: GatewayOverview?

  package init() {}

  /// Whether the source has stated both.
  package var isKnown: Bool { board != nil && overview != nil }

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
}
