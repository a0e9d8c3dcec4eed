import CockpitStores
import TerminalUI

/// Mouse targets of the shell.
extension Frame.Target {
  package static func tab(_ tab: Tab) -> Self { Self(tab) }
  package static func hint(_ command: KeyAction) -> Self { Self(command) }
  package static func pulse(_ target: PulsePane.Target) -> Self { Self(target) }
  package static func voice(_ target: VoicePane.Target) -> Self { Self(target) }
  package static func brain(_ target: BrainPane.Target) -> Self { Self(target) }
  package static func memory(_ target: MemoryPane.Target) -> Self { Self(target) }
  package static func command(_ target: CommandPane.Target) -> Self { Self(target) }
  /// A figure: a click shows the rows behind it in PULSE.
  package static func rows(_ query: String) -> Self { Self(RowsBehind(query)) }
  /// A figure: a click shows its rows, or says what it is of.
  package static func figure(_ behind: RowsBehind) -> Self { Self(behind) }
  /// An item of the overlay, by its number.
  package static func overlay(_ item: Int) -> Self { Self(OverlayItem(number: item)) }
  /// The help, which has no items.
  package static var help: Self { Self(HelpArea()) }
}

/// Where the help is drawn.
struct HelpArea: Hashable, Sendable {}
