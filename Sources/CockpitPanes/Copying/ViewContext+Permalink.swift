import CockpitStores
import CockpitText
import TerminalCore

extension ViewContext {
  /// A command line of this program for the backend on screen: a permanent link.
  ///
  /// - Parameters:
  ///   - words: the verb and its options.
  ///   - argument: the verb's argument, which may look like an option.
  func permalink(_ words: [String], _ argument: String? = nil) -> String {
    let isNamed = !profile.isEmpty && profile != "demo"
    let place = isNamed ? ["--profile", profile] : ["--url", connection.address]
    let isOption = argument?.hasPrefix("-") == true
    let about = argument.map { [$0] } ?? []
    return ShellLine.of(
      ["clanky-cockpit"] + words + (isOption ? place + ["--"] + about : about + place))
  }
}
