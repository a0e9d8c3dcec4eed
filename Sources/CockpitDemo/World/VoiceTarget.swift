/// The voice channel of a person.
struct VoiceTarget: Sendable {
  var guild: Guild
  var channel: Channel
  var person: Person
}
