import TerminalCore
import Testing

/// Addresses that strangers wrote, on their way to a terminal.
@Suite struct LinkTargetTests {
  @Test("web and mail addresses are taken, in printable ASCII")
  func taken() {
    #expect(LinkTarget("https://a.example/b?c=d#e")?.url == "https://a.example/b?c=d#e")
    #expect(LinkTarget("HTTP://A.example")?.url == "HTTP://A.example")
    #expect(LinkTarget("mailto:a@b.example")?.url == "mailto:a@b.example")
    #expect(LinkTarget("https://a.example/ü b")?.url == "https://a.example/%C3%BC%20b")
    #expect(LinkTarget("https://a.example/\u{202E}x")?.url == "https://a.example/%E2%80%AEx")
  }

  @Test(
    "all others, and what could end the sequence or begin another, are not",
    arguments: [
      "", "https", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "ssh://h",
      " https://a.example", "https://a.example/\u{1B}]0;x\u{07}", "https://a.example/\u{07}",
      "https://a.example/\u{9C}", "https://a.example/\u{9D}0;x", "https://a.example/\n",
      "https://a.example/\u{0}", "https://a.example/\u{7F}", "https://a.example/\u{1B}\\rm",
    ])
  func refused(text: String) {
    #expect(LinkTarget(text) == nil)
  }

  @Test("an address has at most 2,083 bytes, counted as they are sent")
  func length() {
    let head = "https://a.example/"
    let room = LinkTarget.limit - head.utf8.count
    #expect(LinkTarget(head + String(repeating: "x", count: room))?.url.utf8.count == 2_083)
    #expect(LinkTarget(head + String(repeating: "x", count: room + 1)) == nil)
    #expect(LinkTarget(head + String(repeating: "ü", count: room / 6 + 1)) == nil)
    #expect(LinkTarget(head + String(repeating: "x", count: 1 << 20)) == nil)
  }

  @Test("whatever a stranger writes, the sequence has printable ASCII between its ends")
  func random() {
    var random = Seeded(3)
    var taken = 0
    for _ in 0..<20_000 {
      let text = "https://" + random.text(upTo: 12)
      guard let target = LinkTarget(text) else { continue }
      taken += 1
      let bytes = Array(target.open.utf8)
      #expect(bytes.starts(with: "\u{1B}]8;id=".utf8))
      #expect(bytes.suffix(2) == [0x1B, 0x5C])
      #expect(bytes.dropFirst(1).dropLast(2).allSatisfy { (0x21...0x7E).contains($0) })
      // No parameter can follow the id.
      #expect(!target.id.contains { $0 == ":" || $0 == ";" })
    }
    #expect(taken > 100)
  }

  @Test("what is drawn over a link takes its cells; the one drawn last has those of both")
  func runs() throws {
    let first = try #require(LinkTarget("https://a.example"))
    let second = try #require(LinkTarget("https://b.example"))
    var canvas = Canvas(size: Size(width: 12, height: 2))
    #expect(canvas.linkRuns.isEmpty)
    canvas.write("abcdefghij", x: 1, y: 0)
    canvas.link(first, x: 1, y: 0, count: 10)
    canvas.write("XY", x: 4, y: 0)
    canvas.write("zz", x: 8, y: 0)
    canvas.link(second, x: 8, y: 0, count: 2)
    #expect(
      canvas.linkRuns == [
        0: [
          LinkSpan(y: 0, columns: 1..<4, target: first),
          LinkSpan(y: 0, columns: 6..<8, target: first),
          LinkSpan(y: 0, columns: 8..<10, target: second),
          LinkSpan(y: 0, columns: 10..<11, target: first),
        ]
      ])
    var other = Canvas(size: canvas.size)
    other.copy(Rect(x: 2, y: 0, width: 6, height: 1), from: canvas, movedBy: 1)
    #expect(
      other.linkRuns == [
        1: [
          LinkSpan(y: 1, columns: 2..<4, target: first),
          LinkSpan(y: 1, columns: 6..<8, target: first),
        ]
      ])
    let count = other.links.count
    other.copy(Rect(x: 2, y: 0, width: 6, height: 1), from: canvas, movedBy: 1)
    #expect(other.links.count == count)
    canvas.clear(Rect(x: 0, y: 0, width: 12, height: 2))
    #expect(canvas.linkRuns.isEmpty)
    // Outside of its region a link is clipped as text is.
    canvas.inside(Rect(x: 10, y: 1, width: 2, height: 1)) {
      $0.write("link", x: -1, y: 0)
      $0.link(first, x: -1, y: 0, count: 4)
    }
    #expect(canvas.linkRuns == [1: [LinkSpan(y: 1, columns: 10..<12, target: first)]])
  }

  @Test(
    "links go to terminals that are known to take them",
    arguments: [
      (["TERM": "xterm-kitty"], true), (["TERM": "foot"], true), (["TERM": "alacritty"], true),
      (["TERM": "xterm-256color"], false),
      (["TERM": "xterm-256color", "VTE_VERSION": "7600"], true),
      (["TERM": "xterm-256color", "VTE_VERSION": "5000"], false),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], true),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], false),
      (["TERM": "xterm-256color", "KONSOLE_VERSION": "230402"], true),
      (["TERM": "xterm-256color", "KONSOLE_VERSION": "191203"], false),
      (["TERM": "xterm-256color", "WT_SESSION": "x"], true),
      (
        [
          "TERM": "tmux-256color", "TMUX": "/s", "TERM_PROGRAM": "tmux",
          "TERM_PROGRAM_VERSION": "3.4",
        ], true
      ),
      (
        [
          "TERM": "tmux-256color", "TMUX": "/s", "TERM_PROGRAM": "tmux",
          "TERM_PROGRAM_VERSION": "next-3.6",
        ], true
      ),
      (
        [
          "TERM": "screen-256color", "TMUX": "/s", "TERM_PROGRAM": "tmux",
          "TERM_PROGRAM_VERSION": "3.3a", "VTE_VERSION": "7600",
        ], false
      ),
      (["TERM": "screen", "STY": "1.x", "VTE_VERSION": "7600"], false),
      (["TERM": "linux", "VTE_VERSION": "7600"], false), (["TERM": "vt220"], false),
      (["TERM": "unheard-of", "VTE_VERSION": "7600"], false), ([:], false),
    ] as [([String: String], Bool)])
  func terminals(environment: [String: String], takes: Bool) {
    let identity = TerminalIdentity(environment: environment, terminfo: TerminfoFacts(colors: 256))
    #expect(identity.takesLinks == takes)
    #expect(identity.writesLinks(nil) == takes && !identity.writesLinks(false))
    let isBare = ["linux", "vt220", nil].contains(environment["TERM"])
    #expect(identity.writesLinks(true) == !isBare)
  }
}
