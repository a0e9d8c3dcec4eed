import CockpitStores
import CockpitApp
import CockpitSession
import ArgumentParser
import CTermSupport
import CockpitDomain
import Networking
import CockpitFiles
import CockpitHistory
import CockpitPanes
import Foundation
import MainLoop
import TerminalCore
import TerminalCurses

/// The cockpit itself.
struct OpenCommand: LoopVerb {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open the full-screen cockpit (what happens without a verb).",
    usage: "clanky-cockpit [OPTIONS]",
    discussion: "Press ? inside for the keys.")

  @OptionGroup var shared: SharedOptions

  @Option(help: "Which tab to open (default: pulse, or [layout] tab of the configuration).")
  var tab: TabChoice?

  @OptionGroup var team: SharedPastOptions

  @Flag(help: "No key changes anything on the backend.")
  var readOnly = false

  @Flag(help: "Record nothing on the disk.")
  var noHistory = false

  @Flag(
    help: "One sentence for each thing that happens: for screen readers, dumb terminals and pipes.")
  var linear = false

  @MainActor func run(
    in environment: Environment, on loop: any EventLoop, verbs: ProgramVerbs
  ) async throws {
    if linear || isDumbTerminal(environment) {
      return try await openLinear(in: environment, on: loop, verbs)
    }
    guard environment.terminals.output, environment.terminals.input else {
      throw Failure(
        .usage,
        "the cockpit needs a terminal; use 'clanky-cockpit tail' to follow in a pipe, or 'clanky-cockpit snapshot --view pulse' for one screen"
      )
    }
    let settings = try settings(in: environment)
    let shared = try team.past(in: environment)
    if shared != nil, let problem = settings.severalProblem { throw problem }
    let keys = try Keymap.table(settings.configuration)
    let appearance = try Appearance(settings, isForTerminal: true)
    if !settings.sourceNames.isEmpty { cterm_save_memory() }
    let opened = try await OpenedProfile.open(settings, on: loop, mayBlock: true)
    let isMouseOn = settings.configuration.mouse ?? true
    let (log, trouble) = openLog(settings.paths)
    var options = TerminalSession.Options(
      environment: settings.environment, theme: appearance.theme)
    options.depth = appearance.requestedDepth
    options.links = settings.configuration.writesHyperlinks
    options.hasMouse = isMouseOn
    options.log = log?.descriptor
    if let log {
      options.crashNote = PlainText("clanky-cockpit ended unexpectedly; see \(log.path)")
    }
    let session: TerminalSession
    do throws(TerminalFailure) {
      session = try TerminalSession(options, loop: loop)
    } catch {
      throw Failure(.usage, error.description)
    }
    let symbols = appearance.chosenSymbols ?? session.suggestedSymbols
    let app = CockpitApp(
      version: programVersion, opened: opened,
      connector: Connector(opened, isReadOnly: readOnly, loop: loop),
      session: session,
      appearance: appearance, symbols: symbols,
      tab: (tab ?? settings.configuration.layout.tab.flatMap(TabChoice.init) ?? .pulse).tab,
      keys: keys, isMouseOn: isMouseOn, loop: loop, settings: settings, log: log,
      verbs: verbs,
      openHistory: { opened throws(HistoryError) in try PastOfBot.open(opened, and: shared) })
    if let trouble = settings.setAside.map({ PlainText($0, limit: 400) }) ?? trouble {
      app.tell(trouble)
    }
    let code = await app.run()
    session.close()
    for words in app.lastWords() { environment.output.complain(words.description) }
    app.stopSources()
    throw ExitCode(code)
  }

  /// The settings with the options of this command.
  private func settings(in environment: Environment) throws(Failure) -> Settings {
    // An option for another source sets `source` of these.
    var given = shared.given
    given.noHistory = noHistory
    var settings = try Settings(given, in: environment)
    if readOnly { settings.profile.readOnly = true }
    return settings
  }

  /// The log; if it cannot be opened, the consequence for the user.
  private func openLog(_ paths: Paths) -> (ClientLog?, PlainText?) {
    do throws(FileError) {
      return (try ClientLog.open(paths), nil)
    } catch {
      return (nil, PlainText("nothing is kept on the disk, drafts included: \(error.description)"))
    }
  }

  /// A terminal that cannot move its cursor.
  private func isDumbTerminal(_ environment: Environment) -> Bool {
    environment.terminals.output && environment.variables["TERM"] == "dumb"
  }

  @MainActor private func openLinear(
    in environment: Environment, on loop: any EventLoop, _ verbs: ProgramVerbs
  ) async throws {
    let settings = try settings(in: environment)
    let appearance = try Appearance(settings, isForTerminal: false)
    let opened = try await OpenedSource.open(settings, on: loop, isCockpit: true)
    let model = CockpitModel(opened)
    model.prepareRecording(version: programVersion)
    let app = LinearApp(
      model: model, loop: loop, output: environment.output,
      isASCII: appearance.symbols == .ascii,
      hasTerminalInput: environment.terminals.input, verbs: verbs)
    let code = await app.run()
    model.bot.source.stop()
    model.recorder?.stop()
    // Releasing `opened` would stop the embedded demo.
    withExtendedLifetime(opened) {}
    throw ExitCode(code)
  }
}

enum TabChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case pulse, voice, brain, memory, cmd

  var tab: Tab { Tab(name: rawValue) ?? .pulse }
}
