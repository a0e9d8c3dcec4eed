import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Our own clock is set while the program runs, and the machine sleeps: the clocks of the process are
  /// moved by a library that is loaded into it.
  @Suite(
    "our clock is set, the machine sleeps (promise P10)",
    .enabled(
      if: TerminalLifeTests.canInject, "LD_PRELOAD and the library FaultInjection are needed"))
  struct OwnClockTests {
    let home: TemporaryFolder
    let server: StubServer
    private let offsets: String

    init() throws {
      home = try TemporaryFolder()
      offsets = try home.file("offsets", String(repeating: "\0", count: 16))
      let stats = #"{"stats":{"last24h":{},"dailyCost":[],"performance":{}},"runtime":{}}"#
      let row = RowServer.stored(7, "sent_reply", content: "seven", secondsAgo: 305)
      server = try StubServer { request in
        switch request.path {
        case "/api/activity/events":
          let text =
            "event: activity_snapshot\ndata: {\"actions\":[\(row)],\"stats\":\(stats)}\n\n"
          var reply = StubReply.stream([.chunk(Array(text.utf8)), .stayAlive])
          reply.headers.append(("Date", Self.date()))
          return reply
        case "/api/voice/events": return FactRoutes.voice
        case "/api/actions": return .json("[\(row)]")
        case "/api/stats": return .json(stats)
        default: return .json("[]")
        }
      }
    }

    private static func date() -> String {
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = TimeZone(identifier: "GMT")
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      return format.string(from: Date())
    }

    private var environment: [String: String] {
      ["LD_PRELOAD": TerminalLifeTests.injector, "CLOCK_OFFSETS": offsets]
    }

    /// Moves the clocks of the program, in seconds.
    private func move(real: Int64 = 0, sleep: Int64 = 0) throws {
      let file = try FileHandle(forWritingTo: URL(filePath: offsets))
      let bytes = [real * 1000, sleep * 1000].withUnsafeBytes { Data($0) }
      try file.write(contentsOf: bytes)
      try file.close()
    }

    private var streams: Int {
      server.requests.count { $0.path == "/api/activity/events" }
    }

    @Test("a step changes no age, breaks no connection and is named", arguments: [7_200, -7_200])
    func steps(seconds: Int64) throws {
      defer { server.stop() }
      let cockpit = try Cockpit(
        ["--url", server.url], home: home, token: "some-token-1", rows: 40, columns: 140,
        environment: environment)
      try cockpit.see("seven")
      cockpit.type("t")
      try cockpit.see("the age of the row") { $0.firstMatch(of: /▌[5-9]m\b/) != nil }
      try move(real: seconds)
      cockpit.type("5")
      try cockpit.see(seconds > 0 ? "backend behind" : "backend ahead")
      cockpit.type("1")
      try cockpit.see("the same age") { $0.firstMatch(of: /▌[5-9]m\b/) != nil }
      #expect(cockpit.isLive)
      // And back.
      try move()
      cockpit.type("5")
      try cockpit.see("no difference") { !$0.contains("2h00m backend") }
      cockpit.type("1")
      try cockpit.see("the same age") { $0.firstMatch(of: /▌[5-9]m\b/) != nil }
      #expect(streams == 1)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("after an hour of sleep the data is stale at once, until a byte comes")
    func sleep() throws {
      defer { server.stop() }
      let process = try PipedProcess(
        Tool.path, ["tail", "--json", "--url", server.url],
        environment: Tool.environment(home: home, token: "some-token-1", environment))
      #expect(process.pump { process.text.contains("seven") })
      try move(sleep: 3_600)
      let start = ContinuousClock.now
      #expect(process.pump { process.text.contains(#""state":"stale""#) }, "\(process.text)")
      #expect(ContinuousClock.now - start < .seconds(6))
      #expect(process.pump { states(process).last == "live" })
      process.signal(SIGTERM)
      process.wait()
      #expect(states(process) == ["connecting", "live", "stale", "live"])
      #expect(TailLines(process.lines).count("action") == 1)
    }

    private func states(_ process: PipedProcess) -> [String] {
      TailLines(process.lines).objects.compactMap { $0["state"] as? String }
    }
  }
}
