import Foundation
import Testing

extension EndToEnd {
  /// `snapshot` of the recorded backend, in every view and form.
  @Suite("snapshot of the recordings", .enabled(if: Captures.areThere, "\(Captures.absence)"))
  struct SnapshotTests {
    static let views = ["pulse", "voice", "brain", "memory", "cmd", "stats"]
    let home: TemporaryFolder
    let server: CaptureServer

    init() throws {
      home = try TemporaryFolder()
      server = try CaptureServer()
    }

    private func snapshot(
      _ view: String, _ arguments: [String] = [], of server: CaptureServer? = nil
    ) throws -> PipedProcess {
      let url = (server ?? self.server).url
      let process = try PipedProcess(
        Tool.path, ["snapshot", "--view", view, "--url", url] + arguments,
        environment: Tool.environment(home: home, token: Captures.token))
      #expect(process.wait() == .exited(0), "\(view): \(process.errorText)")
      #expect(process.errors.isEmpty, "\(view): \(process.errorText)")
      return process
    }

    @Test("text fits the size and holds no control byte", arguments: views)
    func text(view: String) throws {
      for (width, height) in [(80, 24), (120, 40), (40, 10), (200, 60), (3, 2)] {
        let process = try snapshot(view, ["--width", "\(width)", "--height", "\(height)"])
        expectFits(process.text, width: width, height: height, "\(view) \(width)x\(height)")
        #expect(ForbiddenBytes.found(in: process.output) == [])
      }
    }

    @Test(
      "a figure that does not fit has a mark, or is not there", arguments: [1, 2, 4, 8, 20, 27, 29])
    func narrowFigures(width: Int) throws {
      let stats =
        #"{"stats":{"last24h":{"llm_call":12345,"sent_reply":140},"totalCostUsd":1234.5,"dailyCost":[],"performance":{"totalMs":{"count":345,"p50Ms":1234,"p95Ms":65432}}},"runtime":{"isReady":true,"guildCount":12}}"#
      let event = "event: activity_snapshot\ndata: {\"actions\":[],\"stats\":\(stats)}\n\n"
      let server = try StubServer { request in
        switch request.path {
        case "/api/activity/events": .stream([.chunk(Array(event.utf8)), .stayAlive])
        case "/api/voice/events": .stream([.stayAlive])
        default: .json("[]")
        }
      }
      defer { server.stop() }
      func lines(_ width: Int) throws -> [Substring] {
        let process = try Tool.start(
          ["snapshot", "--view", "stats", "--width", "\(width)"], on: server, home: home)
        #expect(process.wait() == .exited(0), "\(process.errorText)")
        return process.lines
      }
      let (wide, narrow) = (try lines(80), try lines(width))
      #expect(
        wide.contains { $0.hasSuffix("12,345") } && wide.contains { $0.hasSuffix("$1234.50") })
      #expect(wide.count == narrow.count)
      for (line, whole) in zip(narrow, wide) {
        let figure = whole.split(separator: " ").last ?? ""
        #expect(line.count <= width, "\(line)")
        #expect(line.hasSuffix(figure) || line.hasSuffix("…"), "\(line), \(whole)")
      }
    }

    @Test("--ansi adds colours and nothing else", arguments: views)
    func ansi(view: String) throws {
      let process = try snapshot(view, ["--ansi", "--color", "always", "--width", "100"])
      let plain = process.text.replacing(/\u{1B}\[[0-9;:]*m/, with: "")
      #expect(process.text.contains("\u{1B}["), "\(view) has no colour")
      #expect(!plain.contains("\u{1B}"), "\(view) has other sequences than SGR")
      expectFits(plain, width: 100, height: 24, view)
      for line in process.text.split(separator: "\n") where line.contains("\u{1B}[") {
        #expect(line.hasSuffix("m"), "\(view): a line ends without resetting its colours")
      }
    }

    @Test("--json is one ASCII line with the facts", arguments: views)
    func json(view: String) throws {
      let process = try snapshot(view, ["--json"])
      #expect(process.lines.count == 1)
      #expect(process.output.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
      let facts = try #require(try PlainAction.objects(process.text).first)
      #expect(facts["view"] as? String == view)
      #expect(facts["backend"] as? String == server.url)
      let key = view == "voice" ? "voice" : "stats"
      #expect(facts[key] is [String: Any], "\(view) has no \(key)")
    }

    @Test("names, sessions and figures of the recording are on the screen")
    func content() throws {
      let pulse = try snapshot("pulse", ["--width", "160", "--height", "40"]).text
      #expect(pulse.contains("LIVE"))
      #expect(pulse.contains("LIVE FEED"))
      let voice = try snapshot("voice", ["--width", "160", "--height", "50"]).text
      #expect(!voice.contains("no voice session"))
    }

    @Test("what --json says of a session is in the text of the view")
    func voiceFacts() throws {
      // Both have to see the same of the recorded states, however busy the machine is.
      let server = try CaptureServer(voice: CaptureServer.upTo("voice_state", of: "voice"))
      let facts = try #require(
        try PlainAction.objects(try snapshot("voice", ["--json"], of: server).text).first)
      let state = try #require(facts["voice"] as? [String: Any])
      let session = try #require((state["sessions"] as? [[String: Any]])?.first)
      let text = try snapshot("voice", ["--width", "200", "--height", "60"], of: server).text
      #expect(text.contains(try #require(session["mode"] as? String)))
      let people = session["participants"] as? [[String: Any]] ?? []
      for name in people.compactMap({ $0["displayName"] as? String }) {
        #expect(text.contains(name.prefix(8)), "\(name)")
      }
      let turns = session["recentTurns"] as? [[String: Any]] ?? []
      for said in turns.suffix(2).compactMap({ $0["text"] as? String }) {
        let words = said.split(whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ")
        #expect(text.contains(words), "\(words)")
      }
      for server in session["mcpStatus"] as? [[String: Any]] ?? [] {
        #expect(text.contains(try #require(server["serverName"] as? String)))
      }
    }

    @Test("brain has the prompt's parts, in text and with colours")
    func brainFacts() throws {
      for form in [[], ["--ansi", "--color", "always"]] {
        let text = try snapshot("brain", ["--width", "120", "--height", "40"] + form).text
        for part in ["LLM CALLS", "PROMPT", "TOOL CHAIN", "CONTEXT BUDGET"] {
          #expect(text.contains(part), "\(part)")
        }
      }
    }

    private func expectFits(
      _ text: String, width: Int, height: Int, _ what: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count <= height, "\(what)", sourceLocation: sourceLocation)
      for line in lines {
        let cells = CellWidth.columns(of: line)
        #expect(cells <= width, "\(what): \(cells) cells: \(line)", sourceLocation: sourceLocation)
      }
    }
  }
}
