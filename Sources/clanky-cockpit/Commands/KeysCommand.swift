import ArgumentParser
import Foundation

struct KeysCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "The keys: list, lint.", usage: "clanky-cockpit keys [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
