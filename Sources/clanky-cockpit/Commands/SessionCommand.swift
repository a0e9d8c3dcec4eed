import ArgumentParser
import Foundation

struct SessionCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "One voice session: people, turns, verdicts.",
    usage: "clanky-cockpit session [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
