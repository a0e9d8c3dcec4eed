import Foundation
import TerminalTestKit
import Testing

/// The cockpit on MEMORY of a `FactServer`, and what an operator does there. What stands here about
/// keys and words is the only place of these tests that does.
final class FactScreen {
  let server: FactServer
  let cockpit: Cockpit
  let state: FactState

  /// Starts it and waits until the facts are there. The width is the largest at which a dialog
  /// takes whole lines, so that its sentences can be read off the screen.
  init(
    _ server: FactServer, home: TemporaryFolder, _ arguments: [String] = [], rows: Int = 45,
    columns: Int = 98, environment: [String: String] = [:], seeing text: String = "Mira prefers"
  ) throws {
    self.server = server
    state = FactState(home)
    cockpit = try Cockpit(
      ["--url", server.url, "--tab", "memory"] + arguments, home: home, token: FactServer.token,
      rows: rows, columns: columns, environment: environment)
    try cockpit.see("the facts") { [cockpit] in $0.contains(text) && cockpit.isLive }
  }

  /// A screen of several sources.
  init(_ server: FactServer, home: TemporaryFolder, _ cockpit: Cockpit) {
    (self.server, self.cockpit) = (server, cockpit)
    state = FactState(home)
  }

  // MARK: Waiting

  func see(_ text: String) throws { try cockpit.see(text) }

  func see(_ what: String, where isDone: (String) -> Bool) throws {
    try cockpit.see(what, where: isDone)
  }

  func see<Output>(_ what: String, _ words: Regex<Output>) throws {
    try cockpit.see(what) { Self.plain($0).firstMatch(of: words.ignoresCase()) != nil }
  }

  func type(_ keys: String) { cockpit.type(keys) }

  /// Reads the screen until the server has seen so many requests of a kind.
  func expect(
    _ count: Int, _ route: FactRoute, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    cockpit.pty.pump(timeout: Tool.patience) { server.count(route) >= count }
    #expect(
      server.count(route) == count, "\(server.requests(route))", sourceLocation: sourceLocation)
  }

  /// Reads the screen until something holds.
  func wait(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, until isDone: () -> Bool
  ) {
    let hasCome = cockpit.pty.pump(timeout: Tool.patience, until: isDone)
    #expect(hasCome, what, sourceLocation: sourceLocation)
  }

  /// The screen as one line of words, so that a sentence that is wrapped can be found.
  static func plain(_ screen: String) -> String {
    screen.split { $0.isWhitespace || "│┃|─━┌┐└┘├┤▌".contains($0) }.joined(separator: " ")
  }

  var plain: String { Self.plain(cockpit.screen) }

  // MARK: Doing

  /// Makes a fact the selected one.
  func select(_ text: String) throws {
    type("/\u{15}\(text)\r")
    try see("the fact \(text) is selected") { _ in cockpit.find(text) != nil }
    leaveLevel()
  }

  /// Closes what is open. It is not Esc, which together with the next key would be Alt.
  func leaveLevel() { type("\u{F}") }

  /// Opens the form of a fact.
  func edit(_ text: String) throws {
    try select(text)
    type("e")
    try seeForm()
  }

  func seeForm() throws {
    try see("the form") { $0.contains("┌ EDIT FACT #") && $0.contains("/240") }
  }

  /// Replaces the text of the fact in the open form.
  func replace(with text: String) throws {
    type("\u{5}\u{15}\(text)")
    try see("the new text") { Self.plain($0).contains(text) }
  }

  func send() { type("\u{13}") }

  /// Opens the form, gives the fact another text and sends it.
  func correct(_ text: String, to new: String) throws {
    try edit(text)
    try replace(with: new)
    send()
  }

  /// The program says that the backend has exactly the new text.
  func seeStored() throws {
    try see("that it is stored", /STORED: FACT #\d+ ─* ?Stored\.|It was stored: the fact says/)
  }

  /// Closes the form, an outcome or a question.
  func close() throws {
    type("\u{7}")
    try see("the list") { !$0.contains("[CLOSE]") && !$0.contains("[EDIT ON]") }
  }

  // MARK: Deciding

  /// Walks to a button and presses Enter on it.
  func press(_ button: String, times: Int = 1) throws {
    let label = "[\(button)]"
    try see(label)
    for _ in 0..<20 where !hasFocus(label) {
      let before = cockpit.pty.output.count
      type("\t")
      cockpit.pty.pump(timeout: .seconds(2)) { cockpit.pty.output.count > before }
      try see("the focus moves") { _ in true }
    }
    #expect(hasFocus(label), "\(label) gets no focus:\n\(cockpit.screen)")
    type("\r")
    for _ in 1..<times {
      try see("that it asks", /Enter again|once more/)
      type("\r")
    }
  }

  private func hasFocus(_ label: String) -> Bool {
    cockpit.find(label).map { cockpit.pty.terminal[$0.row, $0.column + 1].reverse } ?? false
  }

  /// The two that drop the user's text ask for a second Enter.
  func keepTheirs() throws { try press("KEEP THEIRS", times: 2) }
  func dropDraft() throws { try press("DROP DRAFT", times: 2) }
  func sendMine() throws { try press("SEND MINE ANYWAY") }

  /// From an outcome to the form with the draft.
  func editOn() throws {
    try press("EDIT ON")
    try seeForm()
  }

  /// Deletes the selected fact as far as the program holds it.
  func confirmDeletion() throws {
    type("D")
    try seeQuestion()
    type("y\r")
    try seeHeld()
  }

  /// The question before a deletion.
  func seeQuestion() throws {
    try see("the question") { Self.plain($0).contains("eld for 30 s") }
  }

  func seeNoQuestion() throws {
    try see("no question") { !Self.plain($0).contains("eld for 30 s") }
  }

  /// The deletion waits, and the seconds that are left are counted.
  func seeHeld(_ count: Int = 1) throws {
    try see("held") {
      guard let found = $0.firstMatch(of: /(\d+|purge|run) held \d+s/) else { return false }
      return found.1 == "\(count)" || count == 1 && found.1.first?.isNumber == false
    }
  }

  func seeNothingHeld() throws {
    try see("nothing is held") { $0.firstMatch(of: /(\d+|purge|run) held \d+s/) == nil }
  }

  /// A fact is no longer in the list.
  func seeGone(_ text: String) throws {
    try see("the list without \(text)") { !$0.contains(text) && $0.contains("[FACTS]") }
  }

  /// Answers the question before many facts get a type.
  func retype(to type: String, count: String) throws {
    try see("the question") { $0.contains("GIVE ") && $0.contains("TYPE") }
    self.type("\u{15}\(type)\r\(count)\r")
  }

  /// A bracketed paste.
  func paste(_ text: String) { type("\u{1B}[200~\(text)\u{1B}[201~") }

  /// Leaves the program by the way that asks nothing.
  func end() {
    cockpit.pty.signal(SIGKILL)
    _ = cockpit.pty.wait()
  }
}
