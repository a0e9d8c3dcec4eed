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
    /// Data that came by itself, or a row that is settled, and the time besides.
    case streamAtTick
    /// A row that came has been new for long enough: no news, and nothing that a clock waits for.
    case settle

    private var hasTick: Bool { self == .tick || self == .streamAtTick }

    /// What two wishes for one frame are together.
    func joined(_ other: Cause?) -> Cause {
      guard let other, other != self else { return self }
      if self == .key || other == .key { return .key }
      return hasTick || other.hasTick ? .streamAtTick : .stream
    }
  }

  /// How much a frame has brought up to date.
  package enum Extent: Sendable {
    case all
    /// What a key asked for. Data that came stays due.
    case part
  }

  /// The shortest time between two frames after keys: 16 ms, about what a display shows. One after data
  /// is no reason to let a key wait.
  private let keyInterval: UInt64
  /// The shortest time between two frames after data; longer while nobody looks.
  package var streamInterval: Duration

  /// Asked before a frame is drawn. While it says no the frame stays due; call `resume()` then.
  package var canPaint: @MainActor () -> Bool = { true }

  private let paint: @MainActor (_ cause: Cause) -> Extent
  /// When a key was answered.
  private var lastKey: UInt64?
  /// When data was drawn.
  private var lastWhole: UInt64?
  private let loop: any EventLoop
  private lazy var timer = loop.makeTimer { [weak self] in self?.fire() }
  /// Whether no data has been drawn for so long that the frame being painted must not be a part: else keys
  /// that come without a pause would put data off for ever.
  package private(set) var isLate = false
  private var due: UInt64?
  /// Why the next frame is wanted, by all who want it.
  private var cause: Cause?
  private var isHeld = false
  private var isStopped = false

  /// - Parameters:
  ///   - keyInterval: the shortest time between two frames after keys.
  ///   - streamInterval: the shortest time between two frames after data.
  ///   - paint: draws one frame; it hears why. One cause for many: a key among them makes it a key,
  ///     else different ones are a stream, with the time where a tick is among them. It says what it drew.
  package init(
    loop: any EventLoop = DispatchLoop(), keyInterval: Duration = .milliseconds(16),
    streamInterval: Duration = .milliseconds(100),
    paint: @escaping @MainActor (_ cause: Cause) -> Extent
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
      : lastWhole.map { $0 &+ Self.nanoseconds(streamInterval) }
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
    let before = lastWhole
    isLate = before.map { now &- $0 >= 2 &* Self.nanoseconds(streamInterval) } ?? true
    lastWhole = now
    // A frame that this one asks for is another one.
    let cause = cause ?? .stream
    if cause == .key { lastKey = now }
    self.cause = nil
    guard paint(cause) == .part else { return }
    // What it does not show is due as it was.
    lastWhole = before
    setNeedsFrame(.stream)
  }

  private static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
  }
}
