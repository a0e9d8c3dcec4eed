import Dispatch
package import MainLoop

/// Decides when a frame is drawn: at once for a key, ten times a second at most for a stream.
@MainActor
package final class FrameScheduler {
  /// Why a frame is wanted.
  package enum Cause: Sendable {
    /// A key, a resize: somebody waits for the answer.
    case key
    /// Data that came by itself.
    case stream
    /// Nothing but the time: ages, clocks.
    case tick
    /// Data that came by itself, and the time besides.
    case streamAtTick

    private var hasTick: Bool { self == .tick || self == .streamAtTick }

    /// The cause of one frame that was asked for with both.
    func joined(_ other: Cause?) -> Cause {
      guard let other, other != self else { return self }
      if self == .key || other == .key { return .key }
      return hasTick || other.hasTick ? .streamAtTick : .stream
    }
  }

  /// The shortest time between two frames after keys: 16 ms, about what a display shows. One after data
  /// is no reason to let a key wait.
  private let keyInterval: UInt64
  /// The shortest time between two frames after data; longer while nobody looks.
  package var streamInterval: Duration

  /// Asked before a frame is drawn. While it says no the frame stays due; call `resume()` then.
  package var canPaint: @MainActor () -> Bool = { true }

  private let paint: @MainActor (_ cause: Cause) -> Void
  /// When a key was answered.
  private var lastKey: UInt64?
  /// When a frame was drawn; each shows all the data.
  private var last: UInt64?
  private let loop: any EventLoop
  private lazy var timer = loop.makeTimer { [weak self] in self?.fire() }
  private var due: UInt64?
  /// Why the next frame is wanted, by all who want it.
  private var cause: Cause?
  private var isHeld = false
  private var isStopped = false

  /// - Parameters:
  ///   - keyInterval: the shortest time between two frames after keys.
  ///   - streamInterval: the shortest time between two frames after data.
  ///   - paint: draws one frame. Its cause stands for all requests: a key if one of them was, else a
  ///     stream where they differ, with the time where a tick is among them.
  package init(
    loop: any EventLoop = DispatchLoop(), keyInterval: Duration = .milliseconds(16),
    streamInterval: Duration = .milliseconds(100),
    paint: @escaping @MainActor (_ cause: Cause) -> Void
  ) {
    self.loop = loop
    self.keyInterval = Self.nanoseconds(keyInterval)
    self.streamInterval = streamInterval
    self.paint = paint
  }

  /// Asks for a frame. Requests until then are one frame, drawn at the earliest of their times.
  package func setNeedsFrame(_ cause: Cause) {
    guard !isStopped else { return }
    self.cause = cause.joined(self.cause)
    let now = DispatchTime.now().uptimeNanoseconds
    let earliest =
      cause == .key
      ? lastKey.map { $0 &+ keyInterval }
      : last.map { $0 &+ Self.nanoseconds(streamInterval) }
    let time = max(now, earliest ?? now)
    if let due, due <= time { return }
    due = time
    guard time > now else {
      // After what is being done now, so that several keys of one read are one frame.
      loop.soon { [weak self] in self?.fire() }
      return
    }
    timer.set(dueNs: time, leewayNs: 1_000_000)
  }

  /// Draws the frame that had to wait, if one did.
  package func resume() {
    guard isHeld else { return }
    isHeld = false
    setNeedsFrame(.key)
  }

  /// No frame is drawn any more.
  package func stop() {
    isStopped = true
    timer.unset()
  }

  private func fire() {
    // A frame that was drawn earlier than planned leaves the timer or the queue behind.
    guard !isStopped, due != nil else { return }
    due = nil
    guard canPaint() else {
      isHeld = true
      return
    }
    let now = DispatchTime.now().uptimeNanoseconds
    last = now
    // Requests made while painting are for the next frame.
    let cause = cause ?? .stream
    if cause == .key { lastKey = now }
    self.cause = nil
    paint(cause)
  }

  private static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
  }
}
