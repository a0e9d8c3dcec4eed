/// Links to guilds, channels and messages in Discord.
package enum DiscordLink {
  /// A link to a message, or to its channel if the message is unknown. nil unless all ids are
  /// snowflakes, because ids are untrusted.
  package static func to(guild: String?, channel: String?, message: String? = nil) -> String? {
    guard let guild, let channel, isSnowflake(guild), isSnowflake(channel) else { return nil }
    let place = "https://discord.com/channels/\(guild)/\(channel)"
    guard let message else { return place }
    return isSnowflake(message) ? place + "/" + message : place
  }

  /// 64 bits in decimal digits; the first ids of 2015 have 17.
  package static func isSnowflake(_ text: String) -> Bool {
    (15...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
