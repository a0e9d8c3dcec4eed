/// A message in a text channel and the bot's handling of it.
struct TextTurn: Sendable {
  enum Outcome: Sendable {
    case reply(String)
    /// A standalone message instead of a reply.
    case message(String)
    case skip(String)
    case react(String)
  }

  var place: Place
  var speaker: Person
  var text: String
  var tools: [Tool] = []
  var outcome: Outcome
  /// The first model call fails and is repeated.
  var failsFirst = false
  /// The bot was addressed by name.
  var direct = true
}
