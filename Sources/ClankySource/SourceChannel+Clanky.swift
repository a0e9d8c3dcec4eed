package import CockpitDomain

extension SourceChannel {
  /// The event streams of Clanky's backend, in the order of the screen (wire contract section 2).
  package static let ofClanky: [SourceChannel] = [.activity, .voice]

  /// The path of the stream below the base URL.
  package var path: [String] { ["api", name, "events"] }
}
