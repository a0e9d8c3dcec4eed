import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension ViewContext {
  /// The name of a guild, from CMD's list or from earlier events; else its id.
  func guildName(_ id: String) -> PlainText {
    let listed = command.guilds.value?.first { $0.id == id }?.name
    return PlainText(listed ?? names.guild(id), limit: 100)
  }

  /// The name of a channel, the same way.
  func channelName(_ id: String, in guild: String?) -> PlainText {
    let channels = guild.flatMap { command.channels[$0]?.value }
    let listed = channels?.first { $0.id == id }?.name
    return PlainText(listed ?? names.channel(id), limit: 100)
  }
}
