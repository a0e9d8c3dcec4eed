import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The form of the first run, and another backend without a restart.
  @Suite("cockpit: setup and profiles") struct ConnectionSwitchTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func write(_ config: String) throws {
      let folder = "\(home.path)/.config/clanky-cockpit"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(config.utf8).write(to: URL(filePath: "\(folder)/config.toml"))
    }

    @Test("first run: the form opens, tests, saves and connects; the token is nowhere to be seen")
    func firstRun() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      // Nothing listens at the standard address, or something unrelated to this test.
      let cockpit = try Cockpit([], home: home, rows: 30, columns: 120)
      try cockpit.see("the form") {
        $0.contains("CONNECT TO A CLANKY BOT") || cockpit.isLive
      }
      try #require(!cockpit.isLive, "something answers at the standard address of this machine")
      cockpit.type("\u{15}\(demo.url)")
      cockpit.type("\t\(demo.token)")
      try cockpit.see("****")
      cockpit.type("\tlab\u{13}")
      try cockpit.see("a live connection") { !$0.contains("CONNECT TO") && cockpit.isLive }
      try cockpit.see("clanky@lab")
      #expect(!String(decoding: cockpit.pty.output, as: UTF8.self).contains(demo.token))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      // The next start finds everything.
      let again = try Cockpit([], home: home, rows: 30, columns: 100)
      try again.see("a live connection") { _ in again.isLive }
      again.type("q")
      again.expectEnd(.exited(0))
    }

    @Test("a wrong token is explained in the form; Esc leaves it, :setup comes back")
    func wrongToken() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let cockpit = try Cockpit(["--url", demo.url], home: home, rows: 30, columns: 120)
      try cockpit.see(":setup changes address and token")
      try cockpit.type(":setup\r", see: "CONNECT TO A CLANKY BOT")
      cockpit.type("\twrong\t\t\r")
      try cockpit.see("did not accept the token (401)")
      cockpit.type("\u{1B}")
      try cockpit.see("no form") { !$0.contains("CONNECT TO") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("C switches between two backends; a broken profile leaves the connection alone")
    func switches() throws {
      let one = try DemoBackend(["--scenario", "quiet", "--open-access"], home: home)
      let two = try DemoBackend(["--scenario", "quiet"], home: home)
      try write(
        """
        profile = "one"
        [profiles.one]
        url = "\(one.url)"
        [profiles.two]
        url = "\(two.url)"
        read_only = true
        token_command = "cat '\(two.tokenFile)'"
        [profiles.zero]
        url = "\(two.url)"
        token_command = "exit 3"

        """)
      let cockpit = try Cockpit([], home: home, rows: 30, columns: 120)
      try cockpit.see("clanky@one") { $0.contains("clanky@one") && cockpit.isLive }
      try cockpit.type("4C", see: "PROFILES")
      // S14: of backends that are not connected to nothing is known.
      try cockpit.see("that the others were not asked") {
        $0.split(separator: "\n").count { $0.contains("not asked") } == 2
      }
      // A command that fails: said, and nothing has changed.
      cockpit.type("jj\r")
      try cockpit.see("token_command failed")
      try cockpit.see("the old connection") { $0.contains("clanky@one") && cockpit.isLive }
      try cockpit.type("C", see: "PROFILES")
      cockpit.type("j\r")
      try cockpit.see("the other backend") { $0.contains("clanky@two") && cockpit.isLive }
      #expect(cockpit.line(0).contains("[4 MEMORY]"))
      #expect(cockpit.screen.contains("READ-ONLY"))
      // A read-only profile has no key that deletes.
      cockpit.type("D")
      try cockpit.type("C", see: "PROFILES")
      cockpit.type("k\r")
      try cockpit.see("the first backend") { $0.contains("clanky@one") && cockpit.isLive }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
