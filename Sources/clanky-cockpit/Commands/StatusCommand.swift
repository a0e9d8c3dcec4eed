import ArgumentParser
import Foundation

struct StatusCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "One line: state, actions, errors, cost today, voice.",
    usage: "clanky-cockpit status [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
