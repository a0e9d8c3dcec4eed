import Dispatch
package import MainLoop

/// Schedules frames: immediately for a key, at most ten times a second for a stream.
@MainActor
package final class FrameScheduler {
  /// Why a frame is needed.
  package enum Cause: Sendable {
    /// A key or a resize: the user waits for the answer.
    case key
    /// New data.
    case stream
    /// Time alone: ages, clocks.
    case tick
    /// New data, and time.
    case streamAtTick

    private var hasTick: Bool { self == .tick || self == .streamAtTick }

    /// The cause of a frame requested for two causes.
    func joined(_ other: Cause?) -> Cause {
      guard let other, other != self else { return self }
      if self == .key || other == .key { return .key }
      return hasTick || other.hasTick ? .streamAtTick : .stream
    }
  }

  /// Minimum interval in ns between frames for keys; 16 ms by default, a frame of a 60 Hz display.
  /// Frames for data do not delay a key.
  private let keyInterval: UInt64
  /// Minimum interval between frames for data; longer while the terminal is unfocused.
  package var streamInterval: Duration

  /// Checked before each frame. While it is false the frame stays due, until `resume()`.
  package var canPaint: @MainActor () -> Bool = { true }

  private let paint: @MainActor (_ cause: Cause) -> Void
  /// When the last frame for a key was drawn, in ns.
  private var lastKey: UInt64?
  /// When the last frame was drawn, in ns.
  private var last: UInt64?
  private let loop: any EventLoop
  private lazy var timer = loop.makeTimer { [weak self] in self?.fire() }
  private var due: UInt64?
  /// The joined cause of all requests for the next frame.
  private var cause: Cause?
  private var isHeld = false
  private var isStopped = false

  /// - Parameters:
  ///   - keyInterval: minimum interval between frames for keys.
  ///   - streamInterval: minimum interval between frames for data.
  ///   - paint: draws one frame. Causes are joined: any key makes it `.key`,
  ///     other mixtures are `.stream`, or `.streamAtTick` if a tick is among them.
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

  /// Requests a frame. Requests coalesce into one frame at the earliest due time.
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
      // After the current event, so that keys of one read share a frame.
      loop.soon { [weak self] in self?.fire() }
      return
    }
    timer.set(dueNs: time, leewayNs: 1_000_000)
  }

  /// Schedules the frame that `canPaint` held back, if any.
  package func resume() {
    guard isHeld else { return }
    isHeld = false
    setNeedsFrame(.key)
  }

  /// Stops drawing for good.
  package func stop() {
    isStopped = true
    timer.unset()
  }

  private func fire() {
    // Spurious if a frame was drawn earlier than planned.
    guard !isStopped, due != nil else { return }
    due = nil
    guard canPaint() else {
      isHeld = true
      return
    }
    let now = DispatchTime.now().uptimeNanoseconds
    last = now
    // Requests made while painting schedule the next frame.
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
