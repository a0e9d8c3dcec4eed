import CockpitPanes
import CockpitSession
import ArgumentParser
import Foundation

/// `manual`: writes the manual page, for scripts/install and scripts/package.
struct ManualCommand: DescribingVerb {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, mdoc(7).", shouldDisplay: false)

  @Flag(help: "docs/commands.md instead.")
  var markdown = false

  @Option(help: ArgumentHelp("The date on the page, such as 2026-05-09.", valueName: "DAY"))
  var date: String?

  func validate() throws {
    guard date.map({ Self.day($0) != nil }) ?? true else {
      throw ValidationError("--date is a day such as 2026-05-09")
    }
  }

  func run(in environment: Environment, describing tree: CommandTree) throws {
    if markdown {
      environment.output.write(Array(CommandReference(tree: tree).markdown.utf8))
      return
    }
    let page = ManualPage(
      tree: tree, keys: .complete,
      date: date.flatMap(Self.day)
        ?? Self.words(
          Date(timeIntervalSince1970: Double(environment.wallMs()) / 1000)))
    environment.output.write(Array(page.mdoc.utf8))
  }

  private static func day(_ text: String) -> String? {
    let format = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
    return (try? Date(text, strategy: format)).map(words)
  }

  /// `May 9, 2026`, as mdoc(7) wants it whatever the locale.
  private static func words(_ date: Date) -> String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    let month = months[min(max((parts.month ?? 1) - 1, 0), 11)]
    return "\(month) \(parts.day ?? 1), \(parts.year ?? 1970)"
  }
}
