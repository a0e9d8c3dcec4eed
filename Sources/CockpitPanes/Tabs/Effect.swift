import CockpitDomain
import CockpitStores
import TerminalCore
import TerminalUI

/// Something the screen asks the program to do; it can do none of it itself.
package enum Effect: Hashable, Sendable {
  case quit
  /// Send held deletions, wait for requests in flight, then quit.
  case finishAndQuit
  case suspend
  /// Write every cell again: something else wrote on the terminal.
  case repaint
  case toggleMouse
  /// Try the connection now instead of waiting for the next attempt.
  case reconnect
  /// Show a long text in the user's pager, sanitised.
  case page(text: String)
  /// Fetch past rows; a request in flight is not repeated.
  case history(HistoryRequest)
  /// Fetch the data on screen again.
  case refetch
  /// Fetch the list of past voice sessions.
  case loadVoiceHistory
  /// Fetch the events of one past voice session.
  case loadVoiceSession(id: String)
  /// Read or write something in MEMORY.
  case memory(MemoryRequest)
  /// Edit a text in the user's editor; `CockpitShell.edited` receives the result.
  case edit(text: String)
  /// Read or do something for CMD.
  case command(OperationsRequest)
  /// Read or save the settings of the bot.
  case settings(SettingsRequest)
  /// Copy text to the clipboard; `what` names it in the confirmation.
  case copy(text: String, what: PlainText)
  /// Show lines on the plain screen, for selection with the mouse, until a key is pressed.
  case plain(text: String)
  /// Use another profile of the configuration file from now on.
  case switchProfile(name: String)
  /// Send held deletions, wait for requests in flight, then switch profiles.
  case finishAndSwitch(name: String)
  /// Draw with another theme; it is written to the configuration file when `isKept`.
  case setTheme(name: String, isKept: Bool)
  /// Try an address and a token of the setup form, or save them.
  case setup(SetupRequest)
  /// Show or change the settings of a profile that is no Clanky bot; `CockpitShell.take` receives the answer.
  case profileSettings(ProfileSettingsRequest)
  /// Send a test notification, even where the configuration switches notifications off.
  case notifyTest
  /// Write the rows that are kept to a file, as JSON lines.
  case exportRows(path: String)
  /// Write an image that a gateway's tool answered with to a file.
  case saveImage(GatewayToolCall, path: String)
  /// Run a command-line verb with these arguments; `CockpitShell.verbEnded` receives its output.
  case verb([String])
  /// End the verb that is running.
  case cancelVerb

  /// Show the past, or move in it.
  case replay(ReplayRequest)
  /// Search in everything that was recorded; `CockpitShell.take` receives what is found.
  case find(FindRequest)

  /// Make a digest, or stop making it.
  case digest(DigestRequest)
  /// Compare two windows, or stop comparing.
  case compare(CompareRequest)

  /// Make a bundle, or stop making it.
  case bundle(BundleWish)

  /// Mark or keep something of what is recorded.
  case keep(HistoryNoteWish)

  /// Answer something that waits at a gateway; `CockpitShell.take` receives the outcome.
  case control(ControlDecision)
  /// Stop every run of a gateway, and deny what waits; `CockpitShell.take` receives the steps.
  case stopEverything

  /// Do something on an agent's canvas; `CockpitShell.takeCanvas` receives the outcome.
  case canvas(CanvasWish)
  /// Show an image as well as the terminal can, beside the screen: the bytes of a PNG, JPEG or WebP.
  case viewImage([UInt8])

  /// Talk to an agent.
  case chat(ChatRequest)
  /// Show another source of a profile that has several.
  case showSource(SourceChoice)

  /// Silence a rule, or acknowledge what is wrong.
  case alarm(AlarmWish)

  /// Keep these filters for the next start, the newest first.
  case keepQueries([String])
  /// Write a filter under a name to the configuration file.
  case saveView(name: String, query: String)

  // MARK: Handled by the shell

  /// Show the rows behind a figure in PULSE.
  case rows(String)
  /// Say something in the row above the hints.
  case say(PlainText)
  /// What a click on a target of the frame does.
  case press(Frame.Target)

  /// Show a run of a gateway in BRAIN, by its id.
  case showRun(String)
  /// Go to a row of the feed.
  case show(row: RowID)
  /// Show a past or live voice session in VOICE, its report or its panels.
  case showSession(id: String, asReport: Bool = false)
  /// Carry out a command as its key does.
  case perform(KeyAction)
  /// Enter a line after `:`, and execute it if it is complete.
  case line(String, isWhole: Bool)
  /// Execute a line entered after `:`, and add it to the history.
  case carryOut(LineAction, line: String)
  /// Put a layer over the tab.
  case open(NewLayer)
}

/// A request of the setup form to the program. The only path of the token.
package enum SetupRequest: Hashable, Sendable {
  /// Ask the backend at this address, and say how it went with `CockpitShell.setupTested`.
  case test(url: String, token: String, allowPlainHTTP: Bool)
  /// Look for bots on the local network; `CockpitShell.setupTested` gets them.
  case search
  /// Save under a profile's name (empty: the top level), then use it.
  case save(profile: String, url: String, token: String, allowPlainHTTP: Bool)
}
