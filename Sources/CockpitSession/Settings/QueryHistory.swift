import Networking
import CockpitFiles

/// The filters that were entered, saved for the next start in a private file of the state
/// directory. Text that looks like a secret is never written.
package struct QueryHistory {
  /// Maximum number of saved filters.
  package static let limit = 50
  private static let name = "filters"

  private let shelf: CacheDirectory

  /// nil if there is no state directory.
  package init?(_ paths: Paths) {
    guard let state = paths.state else { return nil }
    shelf = CacheDirectory(folder: state)
  }

  /// The newest first; none where there is no file, or it is none of ours.
  package func load() throws(FileError) -> [String] {
    guard let bytes = try shelf.load(Self.name) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return Array(lines.prefix(Self.limit))
  }

  /// - Parameters:
  ///   - queries: newest first.
  ///   - token: the backend's token; filters that contain it are not written.
  package func save(_ queries: [String], token: TokenText?) throws(FileError) {
    let kept = queries.filter { query in
      !query.contains { $0.isNewline } && !Self.looksSecret(query)
        && token.map { $0.redact(query) == query } ?? true
    }
    let text = kept.prefix(Self.limit).map { $0 + "\n" }.joined()
    try shelf.save(Array(text.utf8), name: Self.name)
  }

  /// Whether a text may contain a key or token: a long word of letters and digits, or the prefix of
  /// a well-known service's keys.
  package static func looksSecret(_ text: String) -> Bool {
    let words = text.split {
      !($0.isASCII && ($0.isLetter || $0.isNumber || "_-+/=.".contains($0)))
    }
    return words.contains { word in
      let lowered = word.lowercased()
      let isKnown = ["sk-", "ghp_", "github_pat_", "xoxb-", "xoxp-", "akia", "eyj"].contains {
        lowered.hasPrefix($0) && word.count >= 12
      }
      let longest = word.split { "-_./=+".contains($0) }.map(\.count).max() ?? 0
      let isMixed = word.contains(where: \.isLetter) && word.contains(where: \.isNumber)
      return isKnown || (longest >= 20 && isMixed)
    }
  }
}
