import ClankySource
import CockpitDomain
import Networking
import CockpitStores

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The parser, the scanner with validation, the ring and the observable store, as the cockpit runs
/// them.
@MainActor
struct Ingest {
  private let activity: ActivityStore
  private let sink: StoreSink
  private let clock = BareClock()

  /// As much as one read from a socket gives.
  private static let chunk = 64 << 10

  init(memory: Int) {
    activity = ActivityStore(memory: memory)
    sink = StoreSink(
      activity: activity, voice: VoiceStore(), memory: MemoryStore(),
      connection: ConnectionStore(address: "benchmark"), actions: ActionCache())
  }

  /// Reads to the end; gives how many pieces were no actions.
  func run(_ descriptor: Int32, framesOnly: Bool, marks: Bool) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    var parser = SSEParser()
    var kinds = EventKinds()
    var (actions, bytes, nextMark) = (0, 0, 1)
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { break }
      parser.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { event in
        bytes += event.data.count
        guard !framesOnly else {
          actions += 1
          return
        }
        switch kinds.kind(of: event.name) {
        case .activitySnapshot:
          let batch = RowBatch(event.data, source: .snapshot, carriesStats: true)
          actions += sink.ingest(batch, at: ReceiveTime(clock)).count
        case .actionEvent, .voiceEvent:
          sink.receive(.row(event.data, from: .activity), at: ReceiveTime(clock))
          actions += 1
        case .statsUpdate, .voiceState, .other: break
        }
      }
      if marks, actions >= nextMark {
        nextMark = actions / 25_000 * 25_000 + 25_000
        print(actions, bytes, Self.residentBytes())
      }
    }
    return activity.log.totals.rejected
  }

  /// The size of this process in memory; 0 where there is no /proc.
  private static func residentBytes() -> Int {
    let descriptor = open("/proc/self/statm", O_RDONLY)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    let text = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
      let count = read(descriptor, bytes.baseAddress, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }
}

/// The clocks of the system. Timers are not needed, because nothing waits.
@MainActor
private final class BareClock: LinkClock {
  private final class NoTimer: LinkTimer {
    func cancel() {}
  }

  private func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }

  var nowNs: UInt64 {
    let time = read(CLOCK_MONOTONIC)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  var wallMs: Int64 {
    let time = read(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer { NoTimer() }
}
