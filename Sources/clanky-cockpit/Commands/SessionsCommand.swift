import ArgumentParser
import Foundation

struct SessionsCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "Past voice sessions.",
    usage: "clanky-cockpit sessions [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
