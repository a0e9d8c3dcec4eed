import ArgumentParser
import Foundation

struct ThemesCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes", abstract: "The themes: list, show.",
    usage: "clanky-cockpit themes [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
