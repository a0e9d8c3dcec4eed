/// How speech is heard and made: programs and services, in the order in which they are tried.
package struct VoiceSettings: Hashable, Sendable {
  /// A command line that writes s16le mono at 16 kHz; nil where no recorder is installed.
  package var recorder: String?
  /// A command line that plays s16le mono of `{rate}` from its standard input.
  package var player: String?
  package var hearing: [VoiceService] = []
  package var speaking: [VoiceService] = []
  /// Refuses services that are not on this machine.
  package var requiresLocal = false
  /// The recorder does not hear what the player plays.
  package var isEchoCancelled = false
  /// Whether answers are read aloud at first.
  package var speaks = true
  /// Whether answers to typed messages are read aloud too.
  package var readsTyped = false

  package init() {}
}
