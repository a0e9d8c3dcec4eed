/// Which history of a team is read, and whose: `--history` and `--bot`.
package struct SharedPast: Hashable, Sendable {
  /// The name of a sink, `postgres:DSN` or `clickhouse:URL`.
  package var place: String
  /// What the rows call the bot; nil for that of the profile.
  package var bot: String?

  package init(place: String, bot: String?) { (self.place, self.bot) = (place, bot) }

  /// What it is called in words: `team history`, for the sink `team`.
  package var name: String {
    place.contains(":") ? "shared history" : "\(place) history"
  }
}
