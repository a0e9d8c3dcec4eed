import ArgumentParser
import ClankyLink
import CockpitFiles
import CockpitPanes
import Foundation
import TerminalCore
import TerminalCurses

/// The cockpit itself.
struct OpenCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open the full-screen cockpit (what happens without a verb).",
    usage: "clanky-cockpit [OPTIONS]",
    discussion: "Press ? inside for the keys.")

  @OptionGroup var shared: SharedOptions

  @Option(help: "Which tab to open.")
  var tab: TabChoice = .pulse

  @Flag(help: "No key changes anything on the backend.")
  var readOnly = false

  @MainActor func main() async throws {
    guard isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1 else {
      throw Failure(
        .usage,
        "the cockpit needs a terminal; use 'clanky-cockpit tail' to follow in a pipe, or 'clanky-cockpit snapshot --view pulse' for one screen"
      )
    }
    var settings = try Settings(shared)
    if readOnly { settings.profile.readOnly = true }
    let appearance = try Appearance(settings, isForTerminal: true)
    let backend = try await Backend.open(settings)
    let isMouseOn = settings.configuration.mouse ?? true
    let log = ClientLog.open(settings.paths)
    var options = TerminalSession.Options(
      environment: settings.environment, theme: appearance.theme)
    options.depth = appearance.wish
    options.hasMouse = isMouseOn
    options.log = log?.descriptor
    if let log {
      options.crashNote = PlainText("clanky-cockpit ended unexpectedly; see \(log.path)")
    }
    let session: TerminalSession
    do throws(TerminalFailure) {
      session = try TerminalSession(options)
    } catch {
      throw Failure(.usage, error.description)
    }
    let symbols = appearance.chosenSymbols ?? session.suggestedSymbols
    let app = CockpitApp(
      connector: Connector(backend, isReadOnly: readOnly), session: session, appearance: appearance,
      symbols: symbols, tab: tab.tab,
      isMouseOn: isMouseOn, heldAtQuit: settings.heldAtQuit)
    let code = await app.run()
    session.close()
    if let words = app.lastWords() { Output.complain(words.description) }
    app.model.link.stop()
    Foundation.exit(code)
  }
}

enum TabChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case pulse, voice, brain, memory, cmd

  var tab: Tab { Tab(name: rawValue) ?? .pulse }
}
