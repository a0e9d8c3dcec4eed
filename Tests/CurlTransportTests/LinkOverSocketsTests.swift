import ClankySource
import CurlTransport
import CockpitDomain
import Networking
import Foundation
import Testing

/// Counts what arrives and lets a test wait for a condition.
@MainActor
final class CountingSink: SourceSink {
  var counts: [String: Int] = [:]
  var bytes: [String: Int] = [:]
  var payloads: [[UInt8]] = []
  var keepsPayloads = false
  var statuses: [SourceStatus] = []
  var gaps: [IDGap] = []
  private var waiters: [(@MainActor () -> Bool, CheckedContinuation<Void, Never>)] = []

  func wait(_ condition: @escaping @MainActor () -> Bool) async {
    if condition() { return }
    await withCheckedContinuation { waiters.append((condition, $0)) }
  }

  private func note(_ name: String, _ data: UnsafeRawBufferPointer) {
    counts[name, default: 0] += 1
    bytes[name, default: 0] += data.count
    check()
  }

  private func check() {
    let ready = waiters.filter { $0.0() }
    waiters.removeAll { $0.0() }
    for waiter in ready { waiter.1.resume() }
  }

  private func report(_ json: Any?) -> RowReport {
    let list =
      (json as? [String: Any])?["actions"] as? [[String: Any]] ?? json as? [[String: Any]] ?? []
    let ids = list.compactMap { $0["id"] as? Int }
    return RowReport(
      ids: ids, count: list.count, added: ids.count, oldestMs: ids.min().map(Int64.init),
      newestMs: ids.max().map(Int64.init))
  }

  let knownRows: (any KnownRows)? = nil

  func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport {
    note(batch.carriesStats ? "activity_snapshot" : "rows \(batch.source)", batch.json)
    return report(try? JSONSerialization.jsonObject(with: Data(batch.json)))
  }

  func receive(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .row(let json, _):
      if keepsPayloads { payloads.append(Array(json)) }
      note("action", json)
    case .document(.stats, let json): note("stats", json)
    case .document(.voiceState, let json): note("voice", json)
    case .document(let name, let json): note(name.rawValue, json)
    case .raw(_, let name, let data, _): note("raw \(name)", data)
    case .streamEnded: counts["ended", default: 0] += 1
    case .status(let status): statuses.append(status)
    case .gap(.missing(let gap)): gaps.append(gap)
    case .gap(.filled(let count, _, _)): counts["filled", default: 0] += count
    case .logReplaced: counts["reset", default: 0] += 1
    case .rejected: counts["rejected", default: 0] += 1
    case .restored, .repeated, .answer, .found, .gap, .proven, .batchAccepted: break
    }
    check()
  }

  var status: SourceStatus? { statuses.last }
}

/// The recorded traffic beside or above the repository, if there.
enum Captures {
  static let folder: URL? = {
    var here = URL(filePath: #filePath)
    for _ in 0..<8 {
      here.deleteLastPathComponent()
      let candidate = here.appending(path: "shared/wire/captures")
      if FileManager.default.fileExists(atPath: candidate.appending(path: "activity.sse").path) {
        return candidate
      }
    }
    return nil
  }()
}

@MainActor
@Suite(.timeLimit(.minutes(1))) struct LinkOverSocketsTests {
  private func link(
    _ server: LoopbackServer, _ sink: CountingSink, streams: Set<SourceChannel> = [.activity],
    once: Bool = false, passesRawEvents: Bool = false
  ) throws -> Link {
    let clock = DispatchClock()
    var configuration = LinkConfiguration(
      baseURL: try server.base(), token: try TokenText("lantern-sesame"), streams: streams,
      once: once)
    configuration.passesRawEvents = passesRawEvents
    return Link(
      configuration: configuration, transport: try CurlTransport(clock: clock), clock: clock)
  }

  @Test(arguments: [
    ("200 OK", "text/html", "<html>welcome</html>", "not_clanky", 3),
    ("200 OK", "application/json", "{}", "not_clanky", 3),
    ("204 No Content", "text/plain", "", "ended_by_server", 3),
    ("401 Unauthorized", "application/json", "{\"error\":\"Unauthorized.\"}", "unauthorized", 4),
    ("404 Not Found", "application/json", "{\"error\":\"Not found.\"}", "hidden_behind_404", 4),
    ("404 Not Found", "text/plain", "Not found.", "not_clanky", 3),
    (
      "503 Unavailable", "application/json",
      "{\"error\":\"dashboard_token_required_when_public_https_enabled\"}", "token_required", 4
    ),
    ("530 ", "text/html", "<p>error code: 1033</p>", "tunnel_down", 3),
    ("502 Bad Gateway", "text/html", "<html>nginx</html>", "tunnel_down", 3),
    (
      "500 lantern-sesame", "application/json", "{\"error\":\"token lantern-sesame is wrong\"}",
      "server_error", 3
    ),
    ("500 lantern-sesame", "text/plain", "x", "server_error", 3),
  ])
  func failuresAreNamedAndTheTokenIsNotEchoed(
    _ status: String, _ type: String, _ body: String, _ name: String, _ exitCode: Int32
  ) async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      if status.hasPrefix("204") {
        $0.send("HTTP/1.1 204 No Content\r\n\r\n")
      } else {
        $0.answer(status, body, type: type)
      }
    }
    defer { server.stop() }
    let sink = CountingSink()
    let link = try link(server, sink, once: true)
    link.start(into: sink)
    await sink.wait { sink.status?.overall == .stopped }
    let failure = try #require(sink.status?.failure)
    #expect(failure.name == name)
    #expect(failure.exitCode == exitCode)
    #expect(sink.statuses.allSatisfy { !"\($0)".contains("sesame") })
    link.stop()
  }

  @Test(.enabled(if: Captures.folder != nil))
  func recordedTrafficWithItsRealChunks() async throws {
    let folder = try #require(Captures.folder)
    let all = [UInt8](try Data(contentsOf: folder.appending(path: "activity.sse")))
    let table = try String(
      contentsOf: folder.appending(path: "activity.chunks.tsv"), encoding: .utf8)
    let chunks = table.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t").compactMap { Int($0) }
      return fields[1]..<(fields[1] + fields[2])
    }
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.startStream()
      for chunk in chunks { connection.chunk(Array(all[chunk])) }
      connection.endChunks()
    }
    defer { server.stop() }
    let sink = CountingSink()
    let link = try link(server, sink, once: true, passesRawEvents: true)
    link.start(into: sink)
    await sink.wait { sink.counts["ended"] == 1 }
    // The figures of the recording's own description.
    #expect(sink.counts["raw action_event"] == 295)
    #expect(sink.counts["action"] == 295)
    #expect(sink.counts["raw stats_update"] == 344)
    #expect(sink.counts["activity_snapshot"] == 1)
    #expect((sink.counts["stats"] ?? 0) <= 344 / 2)
    #expect((sink.counts["stats"] ?? 0) >= 1)
    #expect(link.status[.activity].bytes == all.count)
    link.stop()
  }

  @Test func aHoleIsFilledThroughREST() async throws {
    @Sendable nonisolated func rows(_ ids: ClosedRange<Int>) -> String {
      "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
    }
    let server = try LoopbackServer { connection in
      while let request = connection.readRequest() {
        if request.hasPrefix("GET /api/actions") {
          connection.answer("200 OK", rows(5...42))
          continue
        }
        let streams = connection.server.requests.count { $0.hasPrefix("GET /api/activity/events") }
        connection.startStream()
        let ids = streams == 1 ? 1...10 : 40...45
        let event =
          "retry: 1000\nevent: activity_snapshot\ndata: {\"actions\":\(rows(ids)),\"stats\":{}}\n\n"
        connection.chunk(Array(event.utf8))
        guard streams == 1 else {
          connection.waitForClose()
          return
        }
        connection.endChunks()
      }
    }
    defer { server.stop() }
    let sink = CountingSink()
    let link = try link(server, sink)
    link.start(into: sink)
    await sink.wait { sink.counts["filled"] != nil }
    #expect(sink.counts["rows fill"] == 1)
    #expect(sink.gaps.isEmpty)
    #expect(sink.status?.reconnects == 1)
    link.stop()
  }

  @Test func nothingIsLostInAFloodAndStopIsPrompt() async throws {
    let total = 20_000
    let filler = String(repeating: "m", count: 700)
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.startStream()
      for start in stride(from: 0, to: total, by: 50) {
        var text = ""
        for number in start..<(start + 50) {
          text += "event: action_event\ndata: {\"n\":\(number),\"t\":\"\(filler)\"}\n\n"
          text += "event: stats_update\ndata: {\"s\":\(number)}\n\n"
        }
        guard connection.chunk(Array(text.utf8)) else { return }
      }
      // And goes on without end, to be stopped in the middle.
      let more = Array("event: action_event\ndata: {\"t\":\"\(filler)\"}\n\n".utf8)
      while connection.chunk(more) {}
    }
    defer { server.stop() }
    let sink = CountingSink()
    sink.keepsPayloads = true
    let link = try link(server, sink)
    link.start(into: sink)
    await sink.wait { (sink.counts["action"] ?? 0) >= total }
    for number in 0..<total {
      let start = Array("{\"n\":\(number),".utf8)
      if !sink.payloads[number].starts(with: start) {
        Issue.record("action \(number) is not in its place")
        break
      }
    }
    // Superseded statistics were not handed over.
    #expect((sink.counts["stats"] ?? 0) < 1_000)
    let clock = ContinuousClock()
    let stop = clock.measure { link.stop() }
    #expect(stop < .milliseconds(200))
    let seen = sink.counts["action"]
    // Whatever is still queued on the main queue runs before this.
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    #expect(sink.counts["action"] == seen)
  }

  @Test func loopbackNeverGoesThroughAProxy() async throws {
    let proxy = try LoopbackServer { _ = $0.readRequest() }
    defer { proxy.stop() }
    for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"] {
      setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
    }
    defer {
      for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"] { unsetenv(name) }
    }
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.answer("200 OK", "{}")
    }
    defer { server.stop() }
    let probe = Probe()
    let transport = try CurlTransport(clock: DispatchClock())
    let task = transport.open(try .rest(server.base()), delegate: probe)
    #expect(await probe.ended().error == nil)
    #expect(proxy.connections == 0)
    withExtendedLifetime(task) {}
  }
}
