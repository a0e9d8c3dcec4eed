import Observation

/// Says when something that the last frame has read changes.
///
/// An observation is removed only when one of its properties changes. With one for each frame, thousands
/// would pile up while nothing happens, and the next change would run all of them. So each one is fired, and
/// ignored, once its successor is registered. This takes time, so it happens after the frame is presented.
@MainActor
package final class FrameTracking {
  @Observable
  package final class Epoch {
    package var number = 0
  }

  /// That of the observation that stands, and the one that the next will read.
  private var epochs = (Epoch(), Epoch())
  /// Whether nothing has changed since the last `read`.
  package private(set) var isArmed = false
  private let onChange: @MainActor () -> Void

  /// - Parameter onChange: called once, at the first change after a `read`, before the change is
  ///   done.
  package init(_ onChange: @escaping @MainActor () -> Void) { self.onChange = onChange }

  /// Runs code that reads the stores.
  ///
  /// - Parameter isSame: only the time has changed, so the same properties are read and the
  ///   existing observation suffices.
  package func read(isSame: Bool = false, _ body: () -> Void) {
    guard !(isSame && isArmed) else { return body() }
    isArmed = false
    epochs = (epochs.1, epochs.0)
    let epoch = epochs.0
    withObservationTracking {
      _ = epoch.number
      body()
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.fired() }
    }
    epochs.1.number += 1
    isArmed = true
  }

  private func fired() {
    guard isArmed else { return }
    isArmed = false
    onChange()
  }
}
