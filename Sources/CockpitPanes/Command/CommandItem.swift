import TerminalCore

/// The panels of CMD, in the order of Tab.
package enum CommandPanel: String, CaseIterable, Hashable, Sendable {
  case connection, system, cost, latency, actions, guilds, automations, browsers, history, log

  /// Whether its rows are for looking only, so that the cursor begins elsewhere.
  var isForReading: Bool {
    switch self {
    case .connection, .system, .cost, .latency: true
    case .actions, .guilds, .automations, .browsers, .history, .log: false
    }
  }
}

/// Mouse targets of CMD.
package enum CommandTarget: Hashable, Sendable {
  case panel(CommandPanel)
  /// A row of a panel, by its number in the list.
  case row(CommandPanel, Int)
}

/// The identity of a row in CMD: what Enter opens, and what the cursor stays on while rows above it
/// come and go.
package enum CommandItem: Hashable, Sendable {
  case action(QuickAction)
  /// A profile of the configuration file.
  case profile(String)
  case guild(String)
  /// A channel, with its guild.
  case channel(String, guild: String)
  /// An automation, with its guild.
  case automation(Int, guild: String)
  /// A run, with its automation.
  case run(Int, automation: Int)
  /// A run of the browser agent.
  case browser(String)
  /// A past voice session.
  case session(String)
  /// An entry of the client's log, counted from its first one.
  case entry(Int)
  /// A figure.
  case figure(RowsBehind)
  /// Another panel.
  case panel(CommandPanel)

  /// A figure, with the query for its rows.
  static func rows(_ query: String, remark: PlainText? = nil) -> CommandItem {
    .figure(RowsBehind(query, remark: remark))
  }
}

/// An action of CMD. Enter runs it; an action that changes the backend asks for confirmation first.
package enum QuickAction: String, CaseIterable, Hashable, Sendable {
  case join, leave, refreshMemory, search, settings, export, profiles, setup

  var title: PlainText {
    switch self {
    case .join: "JOIN VOICE"
    case .leave: "LEAVE VOICE"
    case .refreshMemory: "REFRESH MEMORY"
    case .search: "SEARCH FACTS"
    case .settings: "BOT SETTINGS"
    case .export: "EXPORT ROWS"
    case .profiles: "PROFILES"
    case .setup: "SETUP"
    }
  }

  /// Whether it changes something at the backend.
  var isMutation: Bool {
    switch self {
    case .join, .leave, .refreshMemory: true
    case .search, .settings, .export, .profiles, .setup: false
    }
  }
}
