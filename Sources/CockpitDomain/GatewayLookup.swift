/// Something of a gateway that is read when a screen shows it, and not before.
package enum GatewayLookup: Hashable, Sendable {
  /// The files of an agent that the gateway names.
  case files(agent: String)
  /// One of them, with its text.
  case file(agent: String, name: String)
  /// A folder of an agent's workspace, by its path in it; "" is the workspace itself.
  case folder(agent: String, path: String)
  /// A file of an agent's workspace, by its path in it.
  case workspaceFile(agent: String, path: String)
  /// What an agent's memory search finds for these words.
  case search(agent: String, words: String)
  /// The text of a file that a search found.
  case passage(agent: String, path: String)
  /// The devices that run commands for the gateway.
  case nodes
  /// The gateway's log: its end at first, then what has been written since.
  case logs
  /// Which of `GatewayToolCall.probed` an agent may use.
  case tools(agent: String)
  /// What a tool answers.
  case tool(GatewayToolCall)
  /// A past conversation of a service, by its id.
  case conversation(String)
}

/// A call of a gateway's tool that changes nothing.
package struct GatewayToolCall: Hashable, Sendable {
  package enum Tool: Hashable, Sendable {
    case agents, sessions
    /// Of a session, by its key; nil is the agent's main session.
    case status(session: String?)
    case history(session: String)
    case browserStatus, browserTabs, browserScreenshot
  }

  package var agent: String
  package var tool: Tool

  package init(agent: String, _ tool: Tool) {
    self.agent = agent
    self.tool = tool
  }

  /// The tool's name on the gateway.
  package var name: String {
    switch tool {
    case .agents: "agents_list"
    case .sessions: "sessions_list"
    case .status: "session_status"
    case .history: "sessions_history"
    case .browserStatus, .browserTabs, .browserScreenshot: "browser"
    }
  }

  /// The tools that the cockpit uses.
  package static let probed = [
    "agents_list", "sessions_list", "session_status", "sessions_history", "memory_search",
    "memory_get", "browser",
  ]
}

/// Why a lookup has no answer: one sentence with the next step. It may contain remote text.
package struct LookupFailure: Error, Hashable, Sendable {
  package var sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}
