import CockpitStores
import TerminalCore
import TerminalUI

/// What a layer may know while it handles an event or draws.
@MainActor
package struct LayerContext {
  /// What a frame may show, with the keys that work.
  package var facts: ViewContext
  /// The open tab.
  package var tab: Tab
  /// The whole screen.
  package var screen: Size
  /// The verbs of the program.
  package var verbs: @Sendable () -> VerbTable

  package init(
    facts: ViewContext, tab: Tab, screen: Size, verbs: @escaping @Sendable () -> VerbTable
  ) {
    self.facts = facts
    self.tab = tab
    self.screen = screen
    self.verbs = verbs
  }
}

/// Something that a layer can react to.
package enum LayerEvent: Hashable, Sendable {
  case key(KeyPress)
  /// Pasted text: data, never keys.
  case paste(String)
  /// A click, with what the last frame marked there, topmost first; each layer knows its own marks.
  case click([Frame.Target])
  /// The wheel, with what the last frame marked there; positive lines are down.
  case wheel(Int, [Frame.Target])
}

/// What became of an event in a layer.
package enum LayerOutcome: Hashable, Sendable {
  /// The event is for what lies below. A modal layer has no below: it is the same as `.stay` there.
  case passed
  case stay
  case close
  /// Do this and stay open.
  case effects([Effect])
  /// Close, then do this.
  case done([Effect])
}

/// Something on top of the tabs: a menu, a question, the line after `:`, a drawer. `LayerStack` holds them.
///
/// It stands beside the panes and not in `TerminalUI`, because it is given `ViewContext` and returns `Effect`s;
/// only the geometry (`LayerPlacement`, `LayerLayout`) knows no bot.
package protocol Layer: Sendable {
  var placement: LayerPlacement { get }
  /// Whether it asks before something is done that cannot be taken back.
  var isQuestion: Bool { get }
  /// Whether the row of the hints is shown for its keys, even where the user has switched hints off.
  var hasKeyLine: Bool { get }
  /// Whether it stays open when the program goes over to another backend.
  var isKeptOnSwitch: Bool { get }

  @MainActor mutating func handle(_ event: LayerEvent, _ context: LayerContext) -> LayerOutcome

  /// Called after every event and before each frame: brings cursors into what there is to show.
  @MainActor mutating func settle(_ context: LayerContext)

  /// What it shows and the backend has to be asked for.
  @MainActor func needs(_ context: LayerContext) -> [Need]

  /// Its keys, for the row of the hints; nil leaves the row to what lies below.
  @MainActor func keyLine(_ context: LayerContext) -> PlainText?

  /// Draws it into the area that its placement has.
  @MainActor func render(_ context: LayerContext, in area: Rect, into frame: inout Frame)
}

extension Layer {
  package var isQuestion: Bool { false }
  package var hasKeyLine: Bool { false }
  package var isKeptOnSwitch: Bool { false }
  @MainActor package mutating func settle(_ context: LayerContext) {}
  @MainActor package func needs(_ context: LayerContext) -> [Need] { [] }
  @MainActor package func keyLine(_ context: LayerContext) -> PlainText? { nil }
}

/// A layer on its way to the stack, in an effect.
package struct NewLayer: Hashable, Sendable {
  package let layer: any Layer & Hashable

  package init(_ layer: any Layer & Hashable) { self.layer = layer }

  package static func == (left: NewLayer, right: NewLayer) -> Bool {
    AnyHashable(left.layer) == AnyHashable(right.layer)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(layer)) }
}
