import CockpitSession
import ArgumentParser
import CockpitFiles
import Foundation
import LenientJSON
import TerminalCore

/// `themes`: lists the themes without opening the cockpit.
struct ThemesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes", abstract: "The themes: list, show.",
    usage: "clanky-cockpit themes <SUBCOMMAND> [OPTIONS]",
    subcommands: [ThemesListCommand.self, ThemesShowCommand.self])
}

/// `themes list`: every theme and where it comes from.
struct ThemesListCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the themes; * is the one in use.",
    usage: "clanky-cockpit themes list [--json]")

  @OptionGroup var shared: SharedOptions

  @Flag(help: "JSON lines.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let chosen = settings.options.theme ?? settings.profile.theme ?? "auto"
    var broken = 0
    for entry in ThemeCatalog(settings.paths).all {
      let theme = try? entry.theme.get()
      var problem: String?
      if case .failure(let failure) = entry.theme { problem = failure.description }
      if problem != nil { broken += 1 }
      if json {
        var line = JSONObjectWriter()
        line.string("name", entry.name)
        line.bool("dark", theme?.isDark)
        line.string("file", entry.path)
        line.bool("chosen", entry.name == chosen)
        line.string("problem", problem)
        environment.output.line(line.finish())
      } else {
        let kind = theme.map { $0.isDark ? "dark" : "light" } ?? "broken"
        environment.output.line(
          PlainText(entry.name == chosen ? "* " : "  ")
            + PlainText(entry.name, limit: 80).padded(to: 20) + PlainText(kind).padded(to: 8)
            + PlainText(problem ?? entry.path ?? "embedded", limit: 1000))
      }
    }
    if chosen == "auto", !json {
      environment.output.remark("In use: auto, light or dark as the terminal is.")
    }
    if broken > 0 {
      let files = broken == 1 ? "1 theme file" : "\(broken) theme files"
      environment.output.remark(PlainText("\(files) cannot be used; the list says why."))
    }
  }
}

/// `themes show`: every role of a theme.
struct ThemesShowCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show every role of a theme, and how well it can be read.",
    usage: "clanky-cockpit themes show NAME [--color always] [--json]",
    discussion: """
      Columns: role, colours, contrast with the background (WCAG 2.2; 4.5 is enough for text), look \
      with 16 colours, look without colours. Each line is drawn as the role looks when stdout is a \
      terminal or with --color always.
      """)

  @OptionGroup var shared: SharedOptions

  @Argument(help: ArgumentHelp("Its name, as in 'themes list'.", valueName: "NAME"))
  var name: String

  @Flag(help: "JSON lines.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let theme = try ThemeCatalog(settings.paths).theme(name)
    if json {
      for role in Role.allCases { environment.output.line(ThemeSheet.json(role, theme)) }
      return
    }
    let appearance = try Appearance(settings, isForTerminal: environment.terminals.output)
    let canvas = ThemeSheet.canvas(theme, symbols: appearance.symbols)
    if appearance.depth > .mono {
      for line in canvas.ansi(theme: theme, depth: appearance.depth) {
        environment.output.line(Array(line.utf8))
      }
    } else {
      for y in 0..<canvas.size.height { environment.output.line(Array(canvas.text(row: y).utf8)) }
    }
  }
}
