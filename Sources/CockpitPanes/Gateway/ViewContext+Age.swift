import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

/// How old what a gateway's tabs show is.
extension ViewContext {
  /// Whether what was read of the gateway is of an earlier connection: then nothing of it may look current.
  var isGatewayAway: Bool { status.overall != .live && replay == nil }

  /// `as of 14:02:11, 3m ago`: when it was read.
  ///
  /// - Parameter ms: on the gateway's clock, ms since 1970.
  func asOf(readMs ms: Int64) -> PlainText {
    "as of " + clock.time(ms: ms) + ", " + Figures.age(ms: nowMs - ms) + " ago"
  }

  /// The same of what a connection keeps up to date: nil while there is one.
  var asOfConnection: PlainText? {
    guard isGatewayAway else { return nil }
    return dataEndMs(.activity).map { asOf(readMs: $0) } ?? "as of the last connection"
  }

  /// What stands in the place of something that was not read yet.
  func awaited(_ entry: GatewayFindings.Entry?) -> PlainText {
    if isGatewayAway { return "not connected: it is read when the connection is back" }
    return entry?.isAsked ?? false ? "asked …" : "not asked yet"
  }
}
