import CockpitDemo

/// Settings from command-line flags; nil and false mean the flag was not passed.
package struct GivenOptions: Sendable {
  package var url: String?
  package var tokenFile: String?
  package var profile: String?
  package var caFile: String?
  package var guild: String?
  /// The configuration file.
  package var config: String?
  package var allowPlainHttp = false
  package var noColor = false
  package var color: ColorChoice?
  package var theme: String?
  package var glyphs: GlyphChoice?
  package var utc = false
  /// Memory for raw actions, in bytes.
  package var memory: Int?
  /// Whether nothing is recorded, whatever the configuration says.
  package var noHistory = false
  /// The history of a team, to be read where this machine has recorded nothing.
  package var sharedPast: SharedPast?
  /// What is opened instead of a backend at an address.
  package var source: GivenSource?

  package init() {}

  /// The scenario of the demo backend, if that is opened.
  package var demo: DemoScenario? {
    guard case .demo(let scenario) = source else { return nil }
    return scenario
  }
}

/// What is opened instead of a backend at an address; `OpenedSource.open` opens it.
package enum GivenSource: Sendable, Equatable {
  case demo(DemoScenario)
  /// The demo of an OpenClaw gateway.
  case gatewayDemo
  /// The demo of a service of ElevenLabs conversations.
  case elevenLabsDemo
  /// The demo of a companion gateway.
  case companionDemo
  /// The demo bot and the demo of a gateway, on one screen.
  case severalDemo

  /// The name in the list of profiles.
  package var profileName: String {
    switch self {
    case .demo, .gatewayDemo, .elevenLabsDemo, .companionDemo, .severalDemo: "demo"
    }
  }
}

/// When to use colours.
package enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }

/// Which glyphs to draw with.
package enum GlyphChoice: String, CaseIterable, Sendable { case unicode, safe, ascii }
