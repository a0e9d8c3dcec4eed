import CockpitDomain

/// Everything that passed a sink, with its times: a recording in memory, to be played into another one.
@MainActor
final class EventTape: SourceObserver {
  private enum Entry {
    case batch([UInt8], RowSource, carriesStats: Bool)
    case row([UInt8], SourceChannel)
    case document(DocumentName, [UInt8])
    /// An event without a borrowed buffer.
    case value(SourceEvent)
  }

  private var entries: [(time: ReceiveTime, entry: Entry)] = []
  var count: Int { entries.count }

  func ingested(_ batch: RowBatch, _ report: RowReport, at time: ReceiveTime) {
    entries.append(
      (time, .batch(Array(batch.json), batch.source, carriesStats: batch.carriesStats)))
  }

  func received(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .row(let json, let stream): entries.append((time, .row(Array(json), stream)))
    case .document(let name, let json): entries.append((time, .document(name, Array(json))))
    case .raw: break
    default: entries.append((time, .value(event)))
    }
  }

  /// Feeds a sink with what was received, at the times of then.
  func play(into sink: any SourceSink) {
    for (time, entry) in entries {
      switch entry {
      case .batch(let json, let source, let carriesStats):
        json.withUnsafeBytes {
          _ = sink.ingest(RowBatch($0, source: source, carriesStats: carriesStats), at: time)
        }
      case .row(let json, let stream):
        json.withUnsafeBytes { sink.receive(.row($0, from: stream), at: time) }
      case .document(let name, let json):
        json.withUnsafeBytes { sink.receive(.document(name, $0), at: time) }
      case .value(let event): sink.receive(event, at: time)
      }
    }
  }
}
