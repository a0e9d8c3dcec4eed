import TerminalTestKit
import Testing

extension TerminalSuite {
  @Suite(.serialized) struct OutsideTests {
    @Test("the sequence that is asked for is written, in tmux wrapped and with a bell")
    func notifications() throws {
      let process = try Probe.start()
      process.send("9")
      try process.expectBytes("\u{1B}]9;a,b: c\u{FFFD}d\u{1B}\\")
      process.send("8")
      try process.expectBytes("\u{1B}]99;i=clanky:d=0:p=title;a,b\u{1B}\\")
      try process.expectBytes("\u{1B}]99;i=clanky:d=1:p=body;c\u{FFFD}d\u{1B}\\")
      #expect(!process.output.contains(0x07), "a known sequence needs no bell")
      process.send("b")
      try process.expectBytes("\u{07}")
      process.send("q")
      #expect(process.wait() == .exited(0))

      let tmux = try Probe.start(environment: Probe.environment(["TMUX": "/tmp/x,1,0"]))
      tmux.send("9")
      try tmux.expectBytes("\u{1B}Ptmux;\u{1B}\u{1B}]9;a,b: c\u{FFFD}d\u{1B}\u{1B}\\\u{1B}\\\u{07}")
    }

    @Test("the flash goes out after a moment, and with the screen when that is given back first")
    func flash() throws {
      let process = try Probe.start()
      process.send("l")
      try process.expectBytes("\u{1B}[?5h")
      try process.expectBytes("\u{1B}[?5l")
      let count = process.output.count
      process.send("lq")
      #expect(process.wait() == .exited(0))
      let rest = Array(process.output[count...])
      #expect(rest.contains(Array("\u{1B}[?5h".utf8)) == rest.contains(Array("\u{1B}[?5l".utf8)))
    }

    @Test("the plain screen has clean lines, no mouse and no colours, and a key ends it")
    func plain() throws {
      let process = try Probe.start()
      let before = process.output.count
      process.send("w")
      try process.expect("any key goes back")
      let bytes = Array(process.output[before...])
      #expect(bytes.contains(Array("\u{1B}[?1049l".utf8)))
      #expect(bytes.contains(Array("\u{1B}[?1002l".utf8)))
      #expect(bytes.contains(Array("\u{1B}[?2004l".utf8)))
      #expect(!bytes.contains(Array("\u{1B}[31m".utf8)))
      #expect(process.terminal.text.contains("plain 3"))
      #expect(!process.terminal.text.contains("PROBE"))
      // What comes meanwhile draws nothing.
      process.resize(rows: 30, columns: 100)
      process.pump(timeout: .milliseconds(100), until: { false })
      #expect(!process.terminal.text.contains("PROBE"))
      process.send("x")  // any key: this one would end the probe with 7
      try process.expect("plain over")
      try process.expect("size 100x30")
      #expect(process.terminal.line(0).hasPrefix("┌ PROBE ─"))
      process.send("k")
      try process.expect("key k")
      #expect(!process.terminal.text.contains("key x"))
      process.send("w")
      try process.expect("any key goes back")
      process.signal(15)
      #expect(process.wait() == .exited(143))
      #expect(!process.isRaw)
    }
  }
}
