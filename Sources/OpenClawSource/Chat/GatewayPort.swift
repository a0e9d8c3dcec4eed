internal import LenientJSON
internal import Networking
internal import OpenClawWire

/// What a conversation needs of the connection to a gateway.
@MainActor
protocol GatewayPort: AnyObject {
  var clock: any LinkClock { get }
  /// Whether requests are taken.
  var isLive: Bool { get }
  /// The greeting of this connection, or of the last one.
  var greeting: GatewayHello? { get }
  func holds(_ scope: String) -> Bool
  /// - Parameter done: called once, also when the connection ends before the answer.
  func send(
    _ request: GatewayRequest,
    _ done: @escaping @MainActor (Result<JSONValue, RequestFailure>) -> Void)
}
