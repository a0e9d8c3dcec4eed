package import ClankyWire

/// Something that CMD wants done; `OperationsService` carries it out.
package enum OperationsRequest: Hashable, Sendable {
  // Reading
  case loadGuilds
  case loadChannels(guild: String)
  case loadAutomations(guild: String)
  case loadRuns(guild: String, automation: Int)
  /// The last 24 h.
  case loadBrowserSessions
  /// Connected accounts and credentials of providers.
  case loadAccounts
  // Changing
  case join(JoinRequest)
  case leave(guild: String?)
  /// Regenerate the operator's summary of the memory (contract 3.5).
  case refreshMemory(guild: String?)
}
