import ArgumentParser
import Foundation

struct SetupCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "First run: address, token, test, save.",
    usage: "clanky-cockpit setup [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
