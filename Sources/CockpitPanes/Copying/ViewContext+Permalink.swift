import CockpitStores
import CockpitText
import TerminalCore

extension ViewContext {
  /// A command line of this program for the backend on the screen: a link that can be kept.
  ///
  /// - Parameters:
  ///   - words: the verb and its options.
  ///   - argument: what the verb is about, which may look like an option.
  func permalink(_ words: [String], _ argument: String? = nil) -> String {
    let isNamed = !profile.isEmpty && profile != "demo"
    let place = isNamed ? ["--profile", profile] : ["--url", connection.address]
    let isOption = argument?.hasPrefix("-") == true
    let about = argument.map { [$0] } ?? []
    return ShellLine.of(
      ["clanky-cockpit"] + words + (isOption ? place + ["--"] + about : about + place))
  }
}
