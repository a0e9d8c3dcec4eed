import ArgumentParser
import Foundation

struct ActionsCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "actions", abstract: "Past actions, newest last.",
    usage: "clanky-cockpit actions [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
