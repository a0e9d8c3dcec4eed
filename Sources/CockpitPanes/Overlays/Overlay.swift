import TerminalUI
import CockpitStores
import TerminalCore

/// Something that lies over the open tab and has all keys, pastes and clicks until it closes: a
/// menu, a picker, a form. `CockpitShell.overlay` holds it.
package protocol Overlay: Sendable {
  @MainActor mutating func press(_ press: KeyPress, on facts: Facts) -> OverlayOutcome
  /// Pasted text: data, never keys.
  @MainActor mutating func paste(_ text: String, on facts: Facts)
  /// A click into something that the last frame marked with `Frame.Target.overlay`.
  @MainActor mutating func click(_ item: Int, on facts: Facts) -> OverlayOutcome
  @MainActor mutating func wheel(_ lines: Int, on facts: Facts)
  /// Called after every event and before each frame: brings cursors into what there is to show.
  @MainActor mutating func settle(_ facts: Facts, screen: Size)
  /// What it shows and the backend has to be asked for.
  @MainActor func needs(_ facts: Facts) -> [Need]
  /// Draws it; `body` is the part of the screen between header and hints.
  @MainActor func render(_ facts: Facts, in body: Rect, into frame: inout Frame)
  /// Its keys, for the hint row.
  var keyLine: PlainText { get }
  /// What it is, for help and for tests.
  var title: PlainText { get }
  /// Whether it asks before something is done that others see.
  var isQuestion: Bool { get }
}

/// What a key press or a click in an overlay asks of the cockpit.
package enum OverlayOutcome: Hashable, Sendable {
  case stay
  case close
  /// Do this and stay open.
  case effects([Effect])
  /// Close and do this.
  case done([Effect])
  /// Close and carry out a command.
  case run(CockpitCommand)
  /// Close and carry out a line as `:` does, or only write it there when it is not whole yet.
  case line(String, isWhole: Bool)
}

extension Overlay {
  package var isQuestion: Bool { false }
  @MainActor package mutating func paste(_ text: String, on facts: Facts) {}
  @MainActor package mutating func click(_ item: Int, on facts: Facts) -> OverlayOutcome { .stay }
  @MainActor package mutating func wheel(_ lines: Int, on facts: Facts) {}
  @MainActor package mutating func settle(_ facts: Facts, screen: Size) {}
  @MainActor package func needs(_ facts: Facts) -> [Need] { [] }
}
