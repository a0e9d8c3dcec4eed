/// Where somebody sits in voice.
struct VoiceTarget: Sendable {
  var guild: Guild
  var channel: Channel
  var person: Person
}
