import LenientJSON

/// The body of `/api/mcp/status` (contract 7.7). It is empty without a voice session, which does
/// not mean that no servers are configured.
package struct McpStatus: WireReadable {
  /// The servers.
  package var servers: [McpServer]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    servers: [McpServer] = [], omitted: Int = 0
  ) {
    self.servers = servers
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("servers", of: McpServer.init)
    else {
      return nil
    }
    servers = list.rows
    omitted = list.omitted
  }
}

/// An MCP server (contract 5.2.1 and 7.7).
package struct McpServer: WireReadable {
  /// Its name.
  package var serverName: String?
  /// True from configuration until a call fails: not proof that it is up.
  package var connected: Bool?
  /// The tools it offers.
  package var tools: [McpTool]
  /// The last error.
  package var lastError: String?
  /// When it was last connected; only in the voice state.
  package var lastConnectedAt: WireTime?
  /// When it was last called; only in the voice state.
  package var lastCallAt: WireTime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    serverName: String? = nil, connected: Bool? = nil, tools: [McpTool] = [],
    lastError: String? = nil, lastConnectedAt: WireTime? = nil, lastCallAt: WireTime? = nil
  ) {
    self.serverName = serverName
    self.connected = connected
    self.tools = tools
    self.lastError = lastError
    self.lastConnectedAt = lastConnectedAt
    self.lastCallAt = lastCallAt
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    serverName = fields.string("serverName")
    connected = fields.bool("connected")
    tools = fields.list("tools", of: McpTool.init) ?? []
    lastError = fields.string("lastError")
    lastConnectedAt = fields.time("lastConnectedAt")
    lastCallAt = fields.time("lastCallAt")
  }
}

/// A tool of an MCP server (contract 7.7).
package struct McpTool: WireReadable {
  /// Its name.
  package var name: String?
  /// Its current activity.
  package var description: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    name: String? = nil, description: String? = nil
  ) {
    self.name = name
    self.description = description
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    name = fields.string("name")
    description = fields.string("description")
  }
}
