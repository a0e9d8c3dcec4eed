import ArgumentParser
import Foundation

struct DoctorCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check terminal, connection and files.",
    usage: "clanky-cockpit doctor [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @MainActor func main() async throws {}
}
