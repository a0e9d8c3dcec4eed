import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import Testing

/// A source beside the link, written as CONTRIBUTING.md says: rows from a file, one JSON object a line, at the
/// times that they bear.
@MainActor
private final class FileSource: Source {
  private let lines: [String]
  private(set) var status = SourceStatus()
  private weak var sink: (any SourceSink)?

  init(_ file: URL) throws {
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  func start(into sink: any SourceSink) {
    self.sink = sink
    for line in lines {
      let bytes = Array(line.utf8)
      let timeMs =
        (try? JSONValue.parse(bytes))?["createdAt"]?.string.flatMap(WireTime.init(iso:))?
        .milliseconds
      let time = ReceiveTime(wallMs: timeMs ?? 0, ns: 0)
      if status.overall != .live {
        status.overall = .live
        sink.receive(.status(status), at: time)
      }
      bytes.withUnsafeBytes { sink.receive(.row($0, from: .activity), at: time) }
    }
  }

  func stop() {
    status.overall = .stopped
    sink?.receive(.status(status), at: ReceiveTime(wallMs: 0, ns: 0))
  }

  func retryNow() {}
  func tick() {}
  func reconcileNow() {}
  func fetchHistory(_ request: HistoryRequest) {}

  private final class NoHandle: RestHandle {
    func cancel() {}
  }

  func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    Task { @MainActor in
      completion(
        .failure(RestFailure(failure: .notClanky(.otherJSON), mayHaveArrived: false)))
    }
    return NoHandle()
  }
}

@MainActor
@Suite struct FileSourceTests {
  @Test("rows of a file come into the stores as live ones do, and a bad one is counted")
  func rowsOfAFile() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let rows = (1...3).map {
      #"{"kind":"sent_reply","guildId":"1","content":"answer \#($0)","createdAt":"2026-11-25T10:00:0\#($0).000Z"}"#
    }
    try (rows + ["{broken"]).joined(separator: "\n").write(
      to: file, atomically: true, encoding: .utf8)
    let sink = StoreSink(
      activity: ActivityStore(), voice: VoiceStore(), memory: MemoryStore(),
      connection: ConnectionStore(address: "a file"), actions: ActionCache())
    let source = try FileSource(file)
    source.start(into: sink)
    let log = sink.activity.log
    #expect(
      log.rows(in: 0..<log.count).compactMap { $0.content() } == [
        "answer 3", "answer 2", "answer 1",
      ])
    #expect(sink.connection.status.overall == .live)
    #expect(sink.connection.rejectedEvents == 1)
    source.stop()
    #expect(sink.connection.status.overall == .stopped)
  }

  @Test("a request that a source cannot answer fails, after the call")
  func requests() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let source = try FileSource(file)
    let result = await withCheckedContinuation { continuation in
      _ = source.request(RestRequest(.get, RequestTarget(["api", "stats"]))) {
        continuation.resume(returning: $0)
      }
    }
    guard case .failure(let failure) = result else {
      Issue.record("an answer")
      return
    }
    #expect(!failure.mayHaveArrived)
  }
}
