import ArgumentParser
import Foundation

struct WidgetCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "widget", abstract: "A few words for a status bar, never later than 2 s.",
    usage: "clanky-cockpit widget [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
