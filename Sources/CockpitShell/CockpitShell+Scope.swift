import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore

/// The guild that the screen is about.
extension CockpitShell {
  /// Makes all tabs about a guild, or about all of them.
  mutating func setScope(_ scope: GuildScope) {
    wantedGuild = nil
    guard scope != self.scope else { return }
    self.scope = scope
    memory.scopeTo(guild: scope.guild)
    pulse.follow()
    voice.forgetSessions()
    brain.forgetSelection()
    conversations.forgetChannel()
    selection = Selection()
  }

  /// Says which guild the screen is about now.
  @MainActor mutating func noteScope(_ facts: ViewContext) {
    var facts = facts
    facts.scope = scope
    note(
      facts.scopeName.map { $0 + " on all tabs but notifications; :guild off shows all" }
        ?? "all guilds on all tabs")
  }

  /// Finds the guild that was named at the start, once the backend has listed its guilds.
  @MainActor mutating func findWantedGuild(_ facts: ViewContext) {
    guard let text = wantedGuild else { return }
    let guilds = facts.connection.names.guilds
    switch GuildScope.named(text, in: guilds) {
    case .guild(let id): setScope(GuildScope(id))
    case .unknown where guilds.isEmpty: break
    case .unknown, .several:
      setScope(.all)
      note(
        PlainText(GuildScope.problem(text, in: guilds), limit: 300) + " All guilds are shown.")
    }
  }

  /// While the screen is about a guild, another guild in MEMORY is another one everywhere.
  @MainActor mutating func followMemory(_ facts: ViewContext) {
    guard !scope.isAll, memory.query.guild != scope.guild else { return }
    setScope(GuildScope(memory.query.guild))
    noteScope(facts)
  }
}
