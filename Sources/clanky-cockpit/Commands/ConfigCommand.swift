import ArgumentParser
import Foundation

struct ConfigCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "The configuration: path, show, validate.",
    usage: "clanky-cockpit config [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
