import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What the backend says the time is, in every answer's `Date`.
  @Suite("the server's clock (promise P10)") struct ServerClockTests {
    static let token = "Sesame-0815-open"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// A header, and when the rows of that backend are.
    struct Clock: CustomTestStringConvertible, Sendable {
      /// The header; nil for the time that its clock has.
      var date: String?
      /// What the program makes of it, on the tab for it.
      var shows: String
      /// Seconds that the clock of the backend, which writes the rows, is ahead of ours.
      var ahead = 0.0
      var testDescription: String { date ?? "\(Int(ahead)) s ahead" }
    }

    private static func header(_ seconds: Double) -> String {
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = TimeZone(identifier: "GMT")
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      return format.string(from: Date(timeIntervalSinceNow: seconds))
    }

    static let clocks: [Clock] = {
      let sinceEpoch = -Date().timeIntervalSince1970
      return [
        Clock(date: "Thu, 01 Jan 1970 00:00:00 GMT", shows: "not used: rows differ"),
        Clock(date: "Fri, 31 Dec 9999 23:59:59 GMT", shows: "not used: rows differ"),
        // A backend whose clock was never set: its rows say so too.
        Clock(shows: "backend behind", ahead: sinceEpoch + 21_600),
        Clock(shows: "backend ahead", ahead: 7_200),
        Clock(shows: "backend behind", ahead: -7_200),
        Clock(date: "yesterday", shows: "CLOCK SKEW  - "),
        Clock(date: "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", shows: "CLOCK SKEW  - "),
        Clock(date: "Mon, 99 Foo -2026 25:61:61 \u{1B}[31m", shows: "CLOCK SKEW  - "),
        Clock(date: "", shows: "CLOCK SKEW  - "),
      ]
    }()

    private static func server(_ clock: Clock) throws -> StubServer {
      let stats = #"{"stats":{"last24h":{},"dailyCost":[],"performance":{}},"runtime":{}}"#
      let row = RowServer.stored(
        7, "sent_reply", content: "seven", secondsAgo: 305 - clock.ahead)
      return try StubServer { request in
        var reply: StubReply
        switch request.path {
        case "/api/activity/events":
          let text =
            "event: activity_snapshot\ndata: {\"actions\":[\(row)],\"stats\":\(stats)}\n\n"
          reply = .stream([.chunk(Array(text.utf8)), .stayAlive])
        case "/api/voice/events":
          reply = .stream([
            .chunk(Array("event: voice_state\ndata: {\"activeCount\":0,\"sessions\":[]}\n\n".utf8)),
            .stayAlive,
          ])
        case "/api/health": reply = .json(#"{"ok":true}"#)
        case "/api/stats": reply = .json(stats)
        case "/api/actions": reply = .json("[\(row)]")
        case "/api/voice/state": reply = .json(#"{"activeCount":0,"sessions":[]}"#)
        default: reply = .json("[]")
        }
        reply.headers.append(("Date", clock.date ?? Self.header(clock.ahead)))
        return reply
      }
    }

    @Test("ages are those of the rows, and the screen names the difference", arguments: clocks)
    func ages(clock: Clock) throws {
      let server = try Self.server(clock)
      defer { server.stop() }
      let cockpit = try Cockpit(
        ["--url", server.url], home: home, token: Self.token, rows: 40, columns: 140)
      try cockpit.see("seven")
      // From the time of day to the age: 5 minutes, and as long as the test has taken.
      cockpit.type("t")
      try cockpit.see("the age of the row") { $0.firstMatch(of: /▌[5-9]m\b/) != nil }
      cockpit.type("5")
      try cockpit.see(clock.shows)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0), what: clock.testDescription)

      let doctor = try PipedProcess(
        Tool.path, ["doctor", "--url", server.url],
        environment: Tool.environment(home: home, token: Self.token))
      #expect(doctor.wait() == .exited(0), "\(doctor.text)")
      let line = try #require(doctor.lines.first { $0.contains(" clock ") }, "\(doctor.text)")
      #expect(line.contains(clock.shows.contains("SKEW") ? "does not say" : "ours"), "\(line)")
      #expect(line.firstMatch(of: /\d{6}/) == nil, "no number that nobody can read: \(line)")

      let status = try PipedProcess(
        Tool.path, ["status", "--url", server.url, "--json"],
        environment: Tool.environment(home: home, token: Self.token))
      #expect(status.wait() == .exited(0), "\(status.errorText)")
      let object = try #require(try PlainAction.objects(status.text).first)
      let day = Date(timeIntervalSinceNow: clock.ahead).formatted(
        .iso8601.year().month().day())
      // Midnight may pass meanwhile.
      let next = Date(timeIntervalSinceNow: clock.ahead - 120).formatted(
        .iso8601.year().month().day())
      #expect([day, next].contains(object["utc_day"] as? String ?? ""), "\(status.text)")
    }
  }
}
