import LenientJSON

/// A setting that is known: its type, its default, and what it does.
package struct SettingField: Hashable, Sendable {
  /// When a change of it is felt.
  package enum Effect: String, Hashable, Sendable, CaseIterable {
    case use
    case useAndTurn = "use / turn"
    case turn
    case turnAndJoin = "turn, partly join"
    case join
    case live
    case recogniser = "next recogniser"
    case watch = "next watch"
    case timer
    case start
    case none
    case form

    /// In words.
    package var words: String {
      switch self {
      case .use: "when it is next needed"
      case .useAndTurn: "when it is next needed, in live voice from the next turn on"
      case .turn: "with the next voice turn, in live sessions too"
      case .turnAndJoin: "with the next voice turn, in part when the bot next joins voice"
      case .join: "when the bot next joins voice"
      case .live: "at once, on live voice sessions too"
      case .recogniser: "when the next recogniser of speech starts"
      case .watch: "when the next screen is watched"
      case .timer: "at the next tick of its timer, a minute or so"
      case .start: "only when the bot starts"
      case .none: "nowhere: it is stored and nothing reads it"
      case .form: "only in the bot's own web form"
      }
    }
  }

  package var path: SettingPath
  package var kind: SettingKind
  /// Whether it is missing until it is set.
  package var isOptional = false
  /// The default of May, and of March where that is another one; nil if it is not known here.
  package var defaultValue: JSONValue?
  package var marchDefault: JSONValue?
  /// The release that alone has it; nil if both have it.
  package var onlyIn: BackendDialect?
  /// Whether its default is the preset's.
  package var followsPreset = false
  package var effect = Effect.use
  /// One sentence or two.
  package var sentence = ""
  /// What it depends on, and what else is to know; may be empty.
  package var remark = ""

  /// The default in a release; nil if it is not known here, or is the preset's and that is another
  /// than the first one.
  package func defaultValue(in dialect: BackendDialect?, preset: String? = nil) -> JSONValue? {
    if followsPreset, let preset, preset != Self.firstPreset { return nil }
    return dialect == .march ? marchDefault ?? defaultValue : defaultValue
  }

  /// The preset of a bot that was never told another.
  package static let firstPreset = "claude_oauth"
}
