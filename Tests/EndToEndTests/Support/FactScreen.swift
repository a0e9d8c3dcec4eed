import Foundation
import TerminalTestKit
import Testing

/// The cockpit on MEMORY of a `FactServer`, and what an operator does there. What stands here about
/// keys and words is the only place of these tests that does.
final class FactScreen {
  let server: FactServer
  let cockpit: Cockpit
  let state: FactState

  /// Starts it and waits until the facts are there.
  init(
    _ server: FactServer, home: TemporaryFolder, _ arguments: [String] = [], rows: Int = 40,
    columns: Int = 120, environment: [String: String] = [:], seeing text: String = "Mira prefers"
  ) throws {
    self.server = server
    state = FactState(home)
    cockpit = try Cockpit(
      ["--url", server.url, "--tab", "memory"] + arguments, home: home, token: FactServer.token,
      rows: rows, columns: columns, environment: environment)
    try cockpit.see("the facts") { [cockpit] in $0.contains(text) && cockpit.isLive }
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
    type("/\(text)\r")
    try see("the fact \(text) is selected") { _ in cockpit.find(text) != nil }
  }

  /// Opens the form of a fact.
  func edit(_ text: String) throws {
    try select(text)
    type("e")
    try see("the form") { $0.contains("/400") && $0.contains("/240") }
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

  // MARK: Deciding

  /// Walks to a button by its name and presses Enter on it.
  private func press(_ button: String) throws {
    try see("the button \(button)") { $0.contains("[\(button)]") }
    try cockpit.click(on: "[\(button)]")
  }

  func keepTheirs() throws { try press("KEEP THEIRS") }
  func sendMine() throws { try press("SEND MINE ANYWAY") }
  func editOn() throws { try press("EDIT ON") }
  func dropDraft() throws { try press("DROP") }

  /// From an outcome to the form with the draft.
  func backToForm() throws {
    type("\u{1B}")
    try see("the form") { $0.contains("/400") }
  }

  /// From an outcome to the list.
  func leave() throws {
    type("\u{1B}")
    try see("the list") { !$0.contains("/400") }
  }

  /// Deletes the selected fact as far as the program holds it.
  func confirmDeletion() throws {
    type("D")
    try press("DELETE")
  }

  /// Types the count that confirms.
  func typeCount(_ count: String) { type("\(count)\r") }

  func retype(to type: String, count: String) throws {
    try see("the question", /type/)
    self.type(type)
    self.type("\t\(count)\r")
  }

  func stay() throws { try press("STAY") }
  func quitAndDrop() throws { try press("DROP") }
  func quitAndSend() throws { try press("SEND") }

  /// A bracketed paste.
  func paste(_ text: String) { type("\u{1B}[200~\(text)\u{1B}[201~") }

  /// Leaves the program by the way that asks nothing.
  func end() {
    cockpit.pty.signal(SIGKILL)
    _ = cockpit.pty.wait()
  }
}
