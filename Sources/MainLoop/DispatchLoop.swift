import Dispatch

/// The loop for hosts that run the main thread themselves: Dispatch sources on the main queue.
///
/// Each event passes through Dispatch's manager thread, some 50 µs and three wake-ups; the cockpit
/// on Linux uses `PollLoop` instead.
@MainActor
package final class DispatchLoop: EventLoop {
  package init() {}

  package func watch(
    _ descriptor: Int32, ready: @escaping @MainActor (Directions) -> Void
  ) -> any DescriptorWatch {
    Watch(descriptor: descriptor, ready: ready)
  }

  package func makeTimer(_ fire: @escaping @MainActor () -> Void) -> any LoopTimer {
    Timer(fire)
  }

  package func soon(_ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(body) }
  }

  /// Sources are suspended, not thrown away, while their direction is not wanted: a paused
  /// transfer comes back in a moment.
  @MainActor
  private final class Watch: DescriptorWatch {
    private let descriptor: Int32
    private let ready: @MainActor (Directions) -> Void
    private var reader: (any DispatchSourceRead)?
    private var writer: (any DispatchSourceWrite)?
    /// Entered once per source, left by its cancel handler.
    private let cancellations = DispatchGroup()
    private var isCancelled = false

    init(descriptor: Int32, ready: @escaping @MainActor (Directions) -> Void) {
      self.descriptor = descriptor
      self.ready = ready
    }

    isolated deinit { cancel() }

    var wanted: Directions = [] {
      didSet {
        guard !isCancelled else { return }
        let changed = wanted.symmetricDifference(oldValue)
        if changed.contains(.reading) {
          if reader == nil { reader = makeReader() }
          if wanted.contains(.reading) { reader?.resume() } else { reader?.suspend() }
        }
        if changed.contains(.writing) {
          if writer == nil { writer = makeWriter() }
          if wanted.contains(.writing) { writer?.resume() } else { writer?.suspend() }
        }
      }
    }

    func cancel(_ whenOver: @escaping @MainActor @Sendable () -> Void) {
      if !isCancelled {
        reader?.cancel()
        writer?.cancel()
        // A suspended source delivers its cancellation only after it was resumed.
        if !wanted.contains(.reading) { reader?.resume() }
        if !wanted.contains(.writing) { writer?.resume() }
        isCancelled = true
        reader = nil
        writer = nil
      }
      cancellations.notify(queue: .main) { MainActor.assumeIsolated { whenOver() } }
    }

    private func makeReader() -> any DispatchSourceRead {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
      cancellations.enter()
      source.setCancelHandler { [cancellations] in cancellations.leave() }
      source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.fired(.reading) } }
      return source
    }

    private func makeWriter() -> any DispatchSourceWrite {
      let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
      cancellations.enter()
      source.setCancelHandler { [cancellations] in cancellations.leave() }
      source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.fired(.writing) } }
      return source
    }

    private func fired(_ direction: Directions) {
      // The event was already queued when the direction was dropped.
      guard !isCancelled, wanted.contains(direction) else { return }
      ready(direction)
    }
  }

  /// One reused source: a new one per deadline would wake Dispatch's manager thread three times.
  @MainActor
  private final class Timer: LoopTimer {
    private let source: any DispatchSourceTimer
    private var isSet = false

    init(_ fire: @escaping @MainActor () -> Void) {
      source = DispatchSource.makeTimerSource(queue: .main)
      source.schedule(deadline: .distantFuture)
      source.setEventHandler { [weak self] in
        MainActor.assumeIsolated {
          guard let self, self.isSet else { return }
          self.isSet = false
          fire()
        }
      }
      source.activate()
    }

    isolated deinit { source.cancel() }

    func set(dueNs: UInt64, leewayNs: UInt64) {
      isSet = true
      source.schedule(
        deadline: DispatchTime(uptimeNanoseconds: dueNs),
        leeway: .nanoseconds(Int(clamping: leewayNs)))
    }

    /// The source stays as it is: at worst it fires for nothing.
    func unset() { isSet = false }
  }
}
