import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Rows of many megabytes, stored and live, and events at the limit of what is read.
  @Suite("giant rows (promises P3, P5b)") struct GiantRowTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private static let stats =
      #"{"stats":{"last24h":{},"dailyCost":[],"performance":{}},"runtime":{}}"#
    private static let giant = String(repeating: "M", count: 16 << 20)
    /// The limit of the program for one event.
    private static let limit = 64 << 20

    /// The bytes of one live row with a filler, so that its payload has this length.
    private static func live(_ content: String, length: Int) -> [UInt8] {
      let bare = RowServer.live("bot_runtime", content: content + " ")
      let filler = [UInt8](repeating: 0x4E, count: max(0, length - bare.utf8.count))
      let marker = content + " "
      guard let range = bare.range(of: marker) else { return [] }
      return Array("event: action_event\ndata: ".utf8) + Array(bare[..<range.upperBound].utf8)
        + filler + Array(bare[range.upperBound...].utf8) + [0x0A, 0x0A]
    }

    private static func event(_ content: String) -> [UInt8] {
      Array(
        "event: action_event\ndata: \(RowServer.live("bot_runtime", content: content))\n\n".utf8)
    }

    /// - Parameter whileGiant: opened when half of the last giant has been written.
    private static func server(whileGiant: Gate = Gate(), goesOn: Gate? = nil) throws -> StubServer
    {
      let rows = [
        RowServer.stored(1, "bot_runtime", content: "first row"),
        RowServer.stored(2, "bot_runtime", content: giant),
        RowServer.stored(3, "bot_runtime", content: "third row"),
      ]
      let list = "[" + rows.joined(separator: ",") + "]"
      let snapshot = "event: activity_snapshot\ndata: {\"actions\":\(list),\"stats\":\(stats)}\n\n"
      let over = live("over the limit", length: limit + 1)
      let half = over.count / 2
      let steps: [StreamStep] =
        [
          .chunk(Array(snapshot.utf8)), .chunk(live("sixteen", length: 16 << 20)),
          .chunk(event("after sixteen")), .chunk(live("nearly too long", length: limit - 1024)),
          .chunk(event("after the long one")), .chunk(Array(over[..<half])), .open(whileGiant),
        ] + (goesOn.map { [.gate($0)] } ?? [])
        + [.chunk(Array(over[half...])), .chunk(event("the end of all")), .stayAlive]
      return try StubServer { request in
        switch request.path {
        case "/api/activity/events": return .stream(steps)
        case "/api/voice/events": return FactRoutes.voice
        case "/api/actions": return .json(list)
        case "/api/stats": return .json(stats)
        default: return .json("[]")
        }
      }
    }

    private func run(_ arguments: [String], _ server: StubServer) throws -> PipedProcess {
      try Tool.start(arguments, on: server, home: home)
    }

    @Test("a giant comes whole, one above the limit costs itself and is named, the others come")
    func tail() throws {
      let server = try Self.server()
      defer { server.stop() }
      let names = [
        "first row", "third row", "after sixteen", "after the long one", "the end of all",
      ]
      for (option, giants, loss) in [
        (
          "--json", 3,
          "{\"type\":\"error\",\"event\":\"action_event\",\"reason\":\"The event is larger than 64 MiB.\"}"
        ),
        ("--plain", 0, "larger than 64 MiB"), ("--raw", 2, "larger than 64 MiB"),
      ] {
        let process = try run(["tail", option, "-n", "10"], server)
        let end = Array("the end of all".utf8)
        let isThere = process.pump(.seconds(60)) {
          process.output.suffix(4096).firstRange(of: end) != nil
        }
        #expect(isThere, "\(option): \(process.errorText)")
        if let peak = ProcessMemory.peakMB(process.processID) {
          #expect(peak < 450, "\(option): \(peak) MB")
        }
        process.signal(SIGTERM)
        #expect(process.wait() == .signaled(SIGTERM))
        let lines = process.output.split(separator: 0x0A)
        #expect(lines.count { $0.count > 16 << 20 } >= giants, "\(option): \(lines.map(\.count))")
        let small = lines.filter { $0.count < 4096 }.map { String(decoding: $0, as: UTF8.self) }
        for name in names where option != "--raw" || name.contains("the") {
          #expect(small.count { $0.contains(name) } == 1, "\(option): \(name)")
        }
        let said = option == "--json" ? small.joined(separator: "\n") : process.errorText
        #expect(said.contains(loss), "\(option): \(said)")
      }
    }

    @Test("snapshot shows the rows beside the giant, as text and as JSON")
    func snapshot() throws {
      let server = try Self.server()
      defer { server.stop() }
      for form in [["--width", "100"], ["--json"]] {
        let process = try run(["snapshot", "--view", "pulse"] + form, server)
        #expect(process.wait(.seconds(60)) == .exited(0), "\(process.errorText)")
        for name in ["first row", "third row"] {
          #expect(process.output.firstRange(of: Array(name.utf8)) != nil, "\(form)")
        }
        #expect(form.count == 1 || process.output.count < 100_000)
      }
    }

    @Test("the cockpit shows what comes between giants, and quits at once while one comes")
    func cockpit() throws {
      let gates = (half: Gate(), on: Gate())
      let server = try Self.server(whileGiant: gates.half, goesOn: gates.on)
      defer {
        gates.on.open()
        server.stop()
      }
      let cockpit = try Cockpit(
        ["--url", server.url], home: home, token: "some-token-1", rows: 24, columns: 100)
      try cockpit.see("after the long one", .seconds(60))
      // The ring holds 64 MiB: the long row has pushed out what came before it.
      try cockpit.see("nearly too long NNN")
      #expect(cockpit.pty.pump(timeout: Tool.patience) { gates.half.wait(milliseconds: 0) })
      if let peak = ProcessMemory.peakMB(cockpit.pty.processID) {
        #expect(peak < 450, "\(peak) MB")
      }
      let start = ContinuousClock.now
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      // 0.2 s is promised; a test machine that does other things gets a second.
      #expect(ContinuousClock.now - start < .seconds(1.5))
    }
  }
}
