import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Nothing but an explicit confirmation ever leads to a request that changes something.
  @Suite("MEMORY: nothing by accident (promise P8)") struct MemorySafetyTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    @Test("--read-only: the keys of changes are gone, and nothing is written")
    func readOnly() throws {
      let screen = try FactScreen(server, home: home, ["--read-only"])
      try screen.see("READ-ONLY")
      try screen.select("Mira prefers")
      for keys in ["e", "E", "D", "v", "vD", "ve", "u", "U", "y", "\u{13}", "\r"] {
        screen.type(keys)
        screen.leaveLevel()
      }
      try screen.see("the list") { $0.contains("Tobias learns") && !$0.contains("/400") }
      screen.type("?")
      try screen.see("help") { !$0.contains("delete the fact") && !$0.contains("edit the fact") }
      #expect(server.writes.isEmpty)
      #expect(screen.state.drafts.isEmpty)
    }

    @Test("a profile that is read-only is so too")
    func readOnlyProfile() throws {
      let config = try home.file(
        "config.toml",
        """
        [profiles.watch]
        url = "\(server.url)"
        read_only = true
        """)
      let screen = try FactScreen(server, home: home, ["--config", config, "--profile", "watch"])
      try screen.see("READ-ONLY")
      try screen.select("Mira prefers")
      screen.type("eD")
      try screen.see("the list") { $0.contains("Tobias learns") && !$0.contains("/400") }
      #expect(server.writes.isEmpty)
    }

    @Test("the owner's facts are masked until they are asked for")
    func owner() throws {
      let screen = try FactScreen(server, home: home)
      #expect(!screen.cockpit.screen.contains("Order more bulbs"))
      #expect(screen.cockpit.screen.contains("••••"))
    }

    @Test("pastes into the list and into the form send nothing")
    func pastes() throws {
      let screen = try FactScreen(server, home: home)
      let evil = "eX\u{13}\r\nD\ty\r\nU\rq\u{3}:w\n"
      screen.paste(evil)
      try screen.see("the list") { $0.contains("Tobias learns") && !$0.contains("/400") }
      try screen.edit("Mira prefers")
      screen.paste("one\r\ntwo\n\u{13}\u{3}three\r")
      try screen.see("the pasted words") { $0.contains("three") }
      #expect(screen.cockpit.screen.contains("/400"))
      #expect(server.writes.isEmpty)
      try screen.close()
      try screen.select("Tobias learns")
      screen.type("D")
      try screen.seeQuestion()
      screen.paste("y\r\n1\r\nDELETE\r")
      screen.type("\u{7}")
      try screen.seeNoQuestion()
      screen.type("U")
      try screen.see("the list") { $0.contains("Tobias learns") }
      #expect(server.writes.isEmpty)
    }

    @Test("a paste that never ends: nothing in it is a key, and Ctrl-C ends it and keeps the words")
    func endlessPaste() throws {
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      screen.type("\u{1B}[200~lamp\u{13}q")
      try screen.see("Ctrl-C ends it")
      // The line was only slow: what follows is no key, an impatient Ctrl-C among it neither.
      screen.type("\u{13}\r\u{3}wick\u{3}")
      #expect(
        !screen.cockpit.pty.pump(timeout: .milliseconds(300)) {
          screen.cockpit.screen.contains("wick")
        })
      screen.wait("the words are in the form") {
        screen.type("\u{3}")
        return screen.cockpit.pty.pump(timeout: .milliseconds(250)) {
          screen.cockpit.screen.contains("wick")
        }
      }
      try screen.see("the form") {
        $0.contains("lamp") && $0.contains("/400") && !$0.contains("ends it")
      }
      screen.type("Z")
      try screen.see("a key is a key again") { $0.contains("Z") }
      #expect(server.writes.isEmpty)
      #expect(screen.cockpit.pty.wait(timeout: .milliseconds(1)) == nil)
    }

    @Test("a paste that the terminal does not mark does not answer the question that it opens")
    func unmarkedPaste() throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      // The longer one is cut by the kernel's buffer, just behind the key that asks.
      for paste in ["Dy\r", String(repeating: "\u{1F}", count: 4094) + "Dy\r"] {
        screen.type(paste)
        try screen.seeQuestion()
        screen.type("\u{7}")
        try screen.seeNoQuestion()
        screen.type("U")
        try screen.see("that nothing is held", /no deletion is held/)
      }
      for _ in 0..<2 { screen.type("v") }
      try screen.see("2 selected", /2 selected/)
      screen.type("e\r2\r")
      try screen.see("the question") { $0.contains("GIVE 2 FACTS A TYPE") }
      screen.type("\u{7}")
      try screen.see("the list") { !$0.contains("GIVE 2 FACTS") }
      #expect(server.writes.isEmpty)
    }

    @Test("random keys never lead to a write", arguments: [1, 3, 5] as [UInt64])
    func random(seed: UInt64) throws {
      // A pager or an editor would swallow the rest.
      let screen = try FactScreen(
        server, home: home, environment: ["PAGER": "/bin/cat", "EDITOR": "/usr/bin/true"])
      var keys = RandomKeys(seed: seed)
      for _ in 0..<50 {
        // Out of whatever is open, and back to the list.
        screen.type("\u{7}\u{7}4")
        screen.type((0..<10).map { _ in keys.next() }.joined())
        // What it draws has to be read, or it stops writing.
        screen.cockpit.pty.pump(timeout: .milliseconds(5)) { false }
      }
      // It goes on, or has quit: Ctrl-C is among the keys.
      let status = screen.cockpit.pty.wait(timeout: .milliseconds(200))
      #expect(status == nil || status == .exited(0), "seed \(seed)")
      screen.end()
      // A recall is asked for and changes nothing.
      let writes = server.writes.filter { $0.route != .recall }
      #expect(writes.isEmpty, "seed \(seed): \(writes)")
      screen.state.expectPrivate()
    }
  }
}

/// Keys, pastes and pieces of escape sequences; the same for the same seed. Ctrl-S, which sends a
/// form, is in pastes only.
struct RandomKeys {
  private var state: UInt64

  /// The factor is another one than the generator's step, or neighbours would share their keys.
  init(seed: UInt64) { state = seed &* 0xD6E8_FEB8_6659_FD93 }

  /// SplitMix64.
  private mutating func number(_ below: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(below))
  }

  private static let letters = Array(
    "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 []{}()/\\&?%=+-.,:;<>'\"|_~")
  private static let sequences = [
    "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[H", "\u{1B}[F", "\u{1B}[5~",
    "\u{1B}[6~", "\u{1B}[3~", "\u{1B}[Z", "\t", "\u{1B}", "\u{1B}", "\u{7F}", "\u{1}", "\u{5}",
    "\u{B}", "\u{15}", "\u{17}", "\u{19}", "\u{C}", "\u{1B}[<0;30;12M\u{1B}[<0;30;12m",
    "\u{1B}[<0;80;20M", "\u{1B}[<64;30;12M", "\u{1B}[<65;30;12M", "\u{1B}[I", "\u{1B}[O",
    "\u{1B}[?997;1n", "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "\u{1B}[99;5u", "\u{1B}[1;5",
    "\u{1B}OP", "\r", "\r", "ä", "日", "🙂", "\u{1B}[115;9u",
    "\u{1B}[200~D\ry\rU\r\u{1B}[201~", "\u{1B}[200~e\u{13}\r\n:w\n\u{1B}[201~",
  ]

  mutating func next() -> String {
    if number(4) == 0 { return Self.sequences[number(Self.sequences.count)] }
    return String(Self.letters[number(Self.letters.count)])
  }
}
