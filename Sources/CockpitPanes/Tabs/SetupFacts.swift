import CockpitStores

/// This program's own settings for the screen: profiles, themes, the location of the token.
package struct SetupFacts: Hashable, Sendable {
  package struct Profile: Hashable, Sendable {
    /// As in the configuration file; empty for its top level.
    package var name: String
    package var url: String
    package var isReadOnly: Bool
    /// Whether it is in the configuration file, and not only in use.
    package var isSaved: Bool

    package init(name: String, url: String, isReadOnly: Bool, isSaved: Bool = true) {
      self.name = name
      self.url = url
      self.isReadOnly = isReadOnly
      self.isSaved = isSaved
    }
  }

  /// In the order of their names.
  package var profiles: [Profile] = []
  /// The name of the profile in use; empty for the top level of the file, `demo` for the demo.
  package var current = ""
  /// The source of the token, such as `Secret Service`; nil if there is none.
  package var tokenPlace: String?
  /// No backend is configured: no configuration file, no address in flags or environment. Then the
  /// setup form opens automatically if nothing answers.
  package var isUnconfigured = false
  /// Where `setup` would save a token, such as `Secret Service`; nil if there is no place.
  package var tokenStore: String?
  /// The configuration file; nil if there is no directory for one.
  package var configPath: String?
  /// Names of all themes, `auto` first.
  package var themes: [String] = []
  /// Why the files of some of them cannot be used, by name.
  package var brokenThemes: [String: String] = [:]
  /// Queries with names, from `[views]`.
  package var views = QueryViews()
  /// The theme that was chosen: a name, or `auto`; a theme that is only tried is not.
  package var theme = "auto"

  package init() {}
}

/// This program's own resource use, measured about once in 3 s; nil before the first measurement.
package struct ClientFigures: Hashable, Sendable {
  /// Per cent of one core.
  package var cpuPercent: Double?
  /// Resident memory in bytes.
  package var residentBytes: Int?
  /// From the backend, after TLS, before decompression is undone.
  package var receivedBytesPerSecond: Double?
  /// To the terminal.
  package var writtenBytesPerSecond: Double?
  /// Whether frames are fewer because the terminal is slow.
  package var isLowBandwidth = false

  package init() {}
}
