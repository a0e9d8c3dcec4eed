import TOML
import TOMLKit

/// The keys of a profile with several sources.
extension ConfigurationReader {
  /// Sources of one profile: each has connections and a recorder of its own.
  static let mostSources = 20

  /// The names in `sources`, unchecked; empty unless it is a list of texts.
  mutating func sources(_ table: TOMLTable, _ path: [String]) -> [String] {
    guard let value = note(table, "sources", path) else { return [] }
    guard let names = strings(value), !names.isEmpty else {
      complain("sources", path, "must be a list of profiles, such as [\"prod\", \"gateway\"]")
      return []
    }
    if names.count > Self.mostSources {
      complain(
        "sources", path, "names \(names.count) profiles; \(Self.mostSources) are the most")
    }
    for key in table.keys where !Configuration.Key.besideSources.contains(key) {
      guard Configuration.Key.names(in: "profiles.NAME").contains(key) else { continue }
      complain(key, path, "stands beside sources; write it in the profiles that they name")
    }
    return names
  }

  mutating func tag(_ table: TOMLTable, _ path: [String]) -> String? {
    guard let text = string(table, "tag", path) else { return nil }
    if text.utf8.count == 2, text.utf8.allSatisfy(Self.isTagByte) { return text }
    complain("tag", path, "must be two letters or digits, such as \"GW\"")
    return nil
  }

  private static func isTagByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Checks what profiles name as sources, once all profiles are read.
  mutating func checkSources() {
    let profiles = configuration.profiles
    for (name, profile) in profiles.sorted(by: { $0.key < $1.key }) {
      let path = ["profiles", name]
      var seen: Set<String> = []
      var tags: [String: String] = [:]
      for source in profile.sources {
        guard seen.insert(source).inserted else {
          complain("sources", path, "names '\(source)' twice; leave one out")
          continue
        }
        if source == name {
          complain("sources", path, "names itself; a source is a profile with a url")
        } else if let named = profiles[source] {
          if !named.sources.isEmpty {
            complain(
              "sources", path,
              "names '\(source)', which has sources itself; name those: "
                + named.sources.joined(separator: ", "))
          }
          if let tag = named.tag, let other = tags.updateValue(source, forKey: tag) {
            complain(
              "sources", path,
              "names '\(other)' and '\(source)', which have the same tag; change one")
          }
        } else {
          let known = profiles.filter { $0.value.sources.isEmpty }.map(\.key).sorted()
          complain(
            "sources", path,
            "names '\(source)', and there is no such profile"
              + (source.nearest(of: known).map { "; did you mean '\($0)'?" }
                ?? "; add a [profiles.\(TOMLEdit.quoted(source))] table with its url"))
        }
      }
    }
  }
}
