import ClankyHTTP
import ClankyLink
import CockpitStores

/// The way of an event from the bytes of a socket into the stores, without a socket: the parser,
/// the scanner with validation, the ring and the observable store, as the cockpit runs them.
@MainActor
final class Ingester {
  let activity: ActivityStore
  private let sink: StoreSink
  private let clock = DispatchClock()
  private var parser = SSEParser()
  private let framesOnly: Bool
  /// Actions that came, stored or live.
  private(set) var actions = 0
  /// Bytes of JSON of events that came.
  private(set) var payloadBytes = 0

  /// - Parameter framesOnly: leave the events unread; what framing alone costs.
  init(memory: Int, framesOnly: Bool = false) {
    activity = ActivityStore(memory: memory)
    self.framesOnly = framesOnly
    sink = StoreSink(
      activity: activity, voice: VoiceStore(), memory: MemoryStore(),
      connection: ConnectionStore(address: "benchmark"), actions: ActionCache(), clock: clock)
  }

  func feed(_ bytes: UnsafeRawBufferPointer) {
    parser.feed(bytes) { event in
      payloadBytes += event.data.count
      guard !framesOnly else {
        actions += 1
        return
      }
      switch event.kind {
      case .activitySnapshot: actions += sink.activitySnapshot(event.data).count
      case .actionEvent, .voiceEvent:
        sink.liveAction(event.data, from: .activity)
        actions += 1
      case .statsUpdate, .voiceState, .other: break
      }
    }
  }
}
