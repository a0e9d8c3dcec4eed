import CockpitDomain
import CockpitSession
import CockpitPanes
import CockpitStores
import CurlTransport
import Foundation
import MainLoop
import Networking
import Testing

@testable import CockpitApp

/// The sample source of CONTRIBUTING.md: behind the stores, and behind linear mode as the program has it.
@MainActor @Suite struct FileSourceTests {
  private let clock = DispatchClock()

  private static func line(_ number: Int, second: Int = 0) -> String {
    """
    {"kind":"sent_reply","guildId":"1","content":"answer \(number)",\
    "createdAt":"2026-11-25T10:00:0\(second).00\(number)Z"}
    """
  }

  private func source(_ lines: [String]) -> FileSource {
    FileSource(Array(lines.joined(separator: "\n").utf8), clock: clock)
  }

  /// What the program makes of a source that is no backend.
  private func model(_ source: FileSource, output: Output) throws -> CockpitModel {
    let environment = Environment(
      arguments: [], variables: ["HOME": "/nowhere"], output: output,
      terminals: .init(input: false, output: false, error: false), readLine: { nil },
      end: { _ in })
    return CockpitModel(
      OpenedSource(
        source, name: "rows.jsonl", settings: try Settings(GivenOptions(), in: environment),
        clock: clock))
  }

  private let silent = Output(.function { _ in }, variables: [:], areTerminals: (false, false))

  /// The contents of all rows, the newest first.
  private func contents(_ bot: BotSession) -> [String] {
    let log = bot.activity.log
    return log.rows(in: 0..<log.count).compactMap { $0.content() }
  }

  @Test("rows come into the stores as live ones do, and a bad one is counted")
  func rows() async throws {
    let bot = try model(source([1, 2, 3].map { Self.line($0) } + ["{broken"]), output: silent).bot
    bot.start()
    await waitUntil { bot.connection.status.overall == .stopped }
    #expect(contents(bot) == ["answer 3", "answer 2", "answer 1"])
    // Linear mode and `firstFacts` begin with it.
    #expect(bot.connection.hasRows)
    #expect(bot.activity.log.totals.rejected == 1)
    // The screen is at the time of the rows.
    #expect(abs(bot.serverNowMs - 1_795_600_800_000) < 60_000)
  }

  @Test("while it plays its data are new, and from its first row on nothing is missing")
  func isLive() async throws {
    let source = source([Self.line(1), Self.line(2, second: 9)])
    let bot = try model(source, output: silent).bot
    source.start(into: bot.sink)
    await waitUntil { bot.activity.revision > 0 && bot.activity.log.count == 1 }
    await waitUntil { bot.activity.coverage.beginMs(kinds: nil) != nil }
    #expect(bot.connection.status[.activity].state == .live)
    #expect(bot.activity.coverage.beginMs(kinds: nil) == 1_795_600_800_001)
    source.stop()
  }

  @Test("started again it goes on where it was stopped")
  func startedAgain() async throws {
    // The second row is not due when the first has come.
    let source = source([Self.line(1), Self.line(2, second: 9)])
    let bot = try model(source, output: silent).bot
    source.start(into: bot.sink)
    await waitUntil { bot.activity.revision > 0 && bot.activity.log.count == 1 }
    source.stop()
    #expect(bot.connection.status.overall == .stopped)
    source.start(into: bot.sink)
    await waitUntil { bot.activity.revision > 0 && bot.activity.log.count == 2 }
    #expect(contents(bot) == ["answer 2", "answer 1"])
  }

  @Test(
    "a request fails after the call, and not at all once it was cancelled or the source stopped")
  func requests() async throws {
    let source = source([])
    let request = RestRequest(.get, RequestTarget(["api", "stats"]))
    source.request(request) { _ in Issue.record("an answer after cancel()") }.cancel()
    source.request(request) { _ in Issue.record("an answer after stop()") }
    source.stop()
    // Requests are answered in their order.
    let result = await withCheckedContinuation { continuation in
      source.request(request) { continuation.resume(returning: $0) }
    }
    guard case .failure(let failure) = result else {
      Issue.record("an answer")
      return
    }
    #expect(!failure.mayHaveArrived)
  }

  @Test("linear mode reports its rows", .timeLimit(.minutes(1)))
  func linear() async throws {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let output = Output(
      .function { line.yield(String(decoding: $0, as: UTF8.self)) }, variables: [:],
      areTerminals: (false, false))
    let model = try model(source([1, 2, 3].map { Self.line($0) }), output: output)
    let app = LinearApp(
      model: model, loop: DispatchLoop(), output: output, isASCII: false, hasTerminalInput: false,
      verbs: ProgramVerbs(table: { VerbTable() }, run: { _ in 0 }))
    app.follow()
    for await text in lines where text.contains("answer 3") { break }
    app.finish(0)
    model.bot.source.stop()
  }
}
