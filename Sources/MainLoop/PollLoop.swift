#if os(Linux)
  import CMainLoop
  import Dispatch
  import Glibc

  /// The loop that runs the main thread itself: one poll(2) for descriptors, timers and the main
  /// dispatch queue, which carries the main actor's jobs.
  ///
  /// Only real events wake the process, and no other thread is involved: with Dispatch sources each
  /// event wakes the manager thread two or three times besides the main thread.
  @MainActor
  package final class PollLoop: EventLoop {
    private var watches: [Watch] = []
    private var timers: [Weak] = []
    /// Work to do before the next wait.
    private var jobs: [@MainActor @Sendable () -> Void] = []
    /// Readable when the main queue has work; negative, which poll ignores, if another loop serves
    /// it.
    private let mainQueue: Int32

    private struct Weak {
      weak var timer: Timer?
    }

    package init() { mainQueue = _dispatch_get_main_queue_handle_4CF() }

    /// A loop for tests, which run inside jobs of the main queue.
    init(mainQueue: Int32) { self.mainQueue = mainQueue }

    package func watch(
      _ descriptor: Int32, ready: @escaping @MainActor (Directions) -> Void
    ) -> any DescriptorWatch {
      let watch = Watch(descriptor: descriptor, ready: ready)
      watch.loop = self
      return watch
    }

    package func makeTimer(_ fire: @escaping @MainActor () -> Void) -> any LoopTimer {
      let timer = Timer(fire)
      timers.append(Weak(timer: timer))
      return timer
    }

    package func soon(_ body: @escaping @MainActor @Sendable () -> Void) { jobs.append(body) }

    /// Runs for ever: the process ends by `exit`.
    package func run() -> Never {
      while true { turn() }
    }

    /// Waits for the next events and handles them.
    func turn() {
      let watched = watches
      var polled = [pollfd(fd: mainQueue, events: Int16(POLLIN), revents: 0)]
      for watch in watched {
        polled.append(pollfd(fd: watch.descriptor, events: watch.events, revents: 0))
      }
      guard wait(&polled) else { return }
      fireTimers()
      for (watch, entry) in zip(watched, polled.dropFirst()) where entry.revents != 0 {
        watch.fired(entry.revents)
      }
      // Jobs queued by descriptors and timers run in the same turn.
      serveMainQueue()
      runJobs()
    }

    /// Jobs queued by these run in the next turn.
    private func runJobs() {
      guard !jobs.isEmpty else { return }
      let now = jobs
      jobs = []
      for job in now { job() }
    }

    /// False when a signal came first.
    private func wait(_ polled: inout [pollfd]) -> Bool {
      timers.removeAll { $0.timer == nil }
      var due: UInt64?
      for entry in timers {
        guard let latest = entry.timer?.latestNs else { continue }
        due = min(due ?? latest, latest)
      }
      var limitNs: Int64 = jobs.isEmpty ? -1 : 0
      if jobs.isEmpty, let due {
        let now = Self.nowNs
        limitNs = due > now ? Int64(clamping: due - now) : 0
      }
      return cloop_wait(&polled, Int32(polled.count), limitNs) >= 0
    }

    private func fireTimers() {
      let now = Self.nowNs
      for entry in timers where (entry.timer?.dueNs).map({ $0 <= now }) ?? false {
        entry.timer?.fire()
      }
    }

    private func serveMainQueue() {
      guard mainQueue >= 0 else { return }
      var count: UInt64 = 0
      // The descriptor counts; it does not block.
      guard read(mainQueue, &count, MemoryLayout<UInt64>.size) > 0 else { return }
      _dispatch_main_queue_callback_4CF(nil)
    }

    private static var nowNs: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private func add(_ watch: Watch) { watches.append(watch) }

    private func remove(_ watch: Watch) { watches.removeAll { $0 === watch } }

    @MainActor
    private final class Watch: DescriptorWatch {
      let descriptor: Int32
      weak var loop: PollLoop?
      private let ready: @MainActor (Directions) -> Void
      private var isCancelled = false

      init(descriptor: Int32, ready: @escaping @MainActor (Directions) -> Void) {
        self.descriptor = descriptor
        self.ready = ready
      }

      var wanted: Directions = [] {
        didSet {
          guard !isCancelled else { return }
          // Unwatched descriptors are left out: poll would report hang-ups on them regardless.
          if oldValue.isEmpty, !wanted.isEmpty { loop?.add(self) }
          if !oldValue.isEmpty, wanted.isEmpty { loop?.remove(self) }
        }
      }

      var events: Int16 {
        (wanted.contains(.reading) ? Int16(POLLIN) : 0)
          | (wanted.contains(.writing) ? Int16(POLLOUT) : 0)
      }

      func fired(_ events: Int16) {
        // Something else in this turn may have given it up.
        guard !isCancelled else { return }
        let failed = Int16(POLLERR | POLLHUP | POLLNVAL)
        var directions: Directions = []
        if events & (Int16(POLLIN) | failed) != 0 { directions.insert(.reading) }
        if events & (Int16(POLLOUT) | failed) != 0 { directions.insert(.writing) }
        directions.formIntersection(wanted)
        if !directions.isEmpty { ready(directions) }
      }

      func cancel(_ whenOver: @escaping @MainActor @Sendable () -> Void) {
        if !isCancelled {
          isCancelled = true
          loop?.remove(self)
        }
        whenOver()
      }
    }

    @MainActor
    private final class Timer: LoopTimer {
      private let body: @MainActor () -> Void
      private(set) var dueNs: UInt64?
      private var leewayNs: UInt64 = 0

      init(_ body: @escaping @MainActor () -> Void) { self.body = body }

      /// The last moment to fire: until then another event may come along.
      var latestNs: UInt64? { dueNs.map { $0.addingReportingOverflow(leewayNs).partialValue } }

      func set(dueNs: UInt64, leewayNs: UInt64) {
        self.dueNs = dueNs
        self.leewayNs = min(leewayNs, UInt64.max - dueNs)
      }

      func unset() { dueNs = nil }

      func fire() {
        dueNs = nil
        body()
      }
    }
  }
#endif
