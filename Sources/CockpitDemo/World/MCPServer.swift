/// A server of tools that a voice session uses, as the bot last saw it.
struct MCPServer {
  var name: String
  var connected = true
  var tools: [(name: String, description: String)]
  var lastError: String?
  var lastConnectedMs: Int64?
  var lastCallMs: Int64?
}
