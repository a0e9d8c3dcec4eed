import ArgumentParser
import Foundation

struct VoiceCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "voice", abstract: "Let the bot join voice.",
    usage: "clanky-cockpit voice [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
