internal import OpenClawWire

extension GatewayChat {
  /// The agent that the gateway takes where none is named; nil while it is not connected.
  package var defaultAgent: String? { port.greeting?.defaultAgentId }
}
