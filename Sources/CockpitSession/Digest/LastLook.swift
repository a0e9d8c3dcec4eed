import CockpitFiles
import CockpitStores
import CockpitText
import Foundation

/// When the user last looked at a bot: kept in the state folder, so that a digest begins there.
package struct LastLook: Sendable {
  /// The file; nil if there is no state folder.
  private let path: String?

  /// - Parameter bot: the address of the bot, without user and password.
  package init(_ settings: Settings, bot: String) {
    let name = settings.profileName.isEmpty ? bot : settings.profileName
    let digits = StableHash.digits(of: name)
    // The embedded demo is not worth remembering.
    path =
      settings.options.source == nil
      ? settings.paths.state.map { "\($0)/looked-\(digits)" } : nil
  }

  /// In ms since 1970; nil if nothing is known of it.
  package var ms: Int64? {
    // What cannot be read is as good as no look.
    guard let path, let bytes = try? SafeFile.read(path, limit: 64) else { return nil }
    return Int64(
      String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Remembers a look.
  package func save(ms: Int64) throws(FileError) {
    guard let path else { return }
    try AtomicFile.replace(path, with: Array("\(ms)\n".utf8))
  }

  /// Ten in the evening before, at least an hour ago.
  package static func evening(before nowMs: Int64, _ clock: ClockFormat) -> Int64 {
    QueryMoment.start(of: "22:00", nowMs: nowMs - 3_600_000, in: clock.queryZone)
      ?? nowMs - 43_200_000
  }
}
