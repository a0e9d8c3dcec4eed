/// Descriptors and timers of the main thread. Everything in this program that waits, waits here.
@MainActor
package protocol EventLoop: AnyObject, Sendable {
  /// Watches a descriptor, in no direction at first.
  ///
  /// - Parameter ready: called with the directions that are ready and wanted; a descriptor that has
  ///   failed or was hung up is ready in all that are wanted.
  func watch(
    _ descriptor: Int32, ready: @escaping @MainActor (Directions) -> Void
  ) -> any DescriptorWatch

  /// A timer that is not set.
  func makeTimer(_ fire: @escaping @MainActor () -> Void) -> any LoopTimer

  /// Runs `body` after everything that is being done now, before the next wait.
  func soon(_ body: @escaping @MainActor @Sendable () -> Void)
}

/// Reading, writing, or both.
package struct Directions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Avoids the generic set algebra, whose first use looks up conformances in the whole program.
  package init(reads: Bool, writes: Bool) {
    rawValue = (reads ? 1 : 0) | (writes ? 2 : 0)
  }

  package static let reading = Directions(rawValue: 1)
  package static let writing = Directions(rawValue: 2)
}

/// A descriptor that is watched.
@MainActor
package protocol DescriptorWatch: AnyObject {
  /// The directions that `ready` is called for from now on.
  var wanted: Directions { get set }
  /// Ends watching; `ready` is not called any more.
  ///
  /// - Parameter whenOver: called when nothing looks at the descriptor any more, so that it may be
  ///   closed; at once or a little later.
  func cancel(_ whenOver: @escaping @MainActor @Sendable () -> Void)
}

extension DescriptorWatch {
  package func cancel() { cancel {} }
}

/// A one-shot timer that can be set again.
@MainActor
package protocol LoopTimer: AnyObject {
  /// Sets the timer, whatever it was set to.
  ///
  /// - Parameters:
  ///   - dueNs: on the monotonic clock, as `DispatchTime.uptimeNanoseconds`.
  ///   - leewayNs: how much later it may fire.
  func set(dueNs: UInt64, leewayNs: UInt64)
  /// It does not fire until it is set again.
  func unset()
}
