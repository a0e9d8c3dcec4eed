import Observation

/// Says when something that the last frame has read changes.
///
/// An observation stays until one of its properties changes, and only a change takes it back. With
/// one for each frame a quiet night would collect thousands, and the first news of the morning would
/// run them all: so the one before is made to fire, unheard, when the next begins.
@MainActor
package final class FrameTracking {
  @Observable
  package final class Epoch {
    package var number = 0
  }

  private let epoch = Epoch()
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
    epoch.number += 1
    withObservationTracking {
      _ = epoch.number
      body()
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.fired() }
    }
    isArmed = true
  }

  private func fired() {
    guard isArmed else { return }
    isArmed = false
    onChange()
  }
}
