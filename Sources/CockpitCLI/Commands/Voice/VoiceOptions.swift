import ArgumentParser
import CockpitSession

/// Options shared by the verbs of `voice`.
struct VoiceOptions: ParsableArguments {
  @OptionGroup var shared: SharedOptions

  @Flag(help: "JSON, one line, ASCII only.")
  var json = false

  @Flag(help: "Refuse whatever changes something on the backend.")
  var readOnly = false

  /// - Throws: exit code 2 where nothing may be changed.
  func permitChanging(_ settings: Settings) throws(Failure) {
    if readOnly {
      throw Failure(.usage, "--read-only refuses whatever changes something; leave it out")
    }
    if let reason = settings.readOnlyReason { throw Failure(.usage, reason) }
  }
}
