import Foundation

/// The locations of the program's files: the XDG base directories, on macOS too if they are set.
package struct Paths: Sendable {
  /// The name of our folder in each base directory.
  package static let folder = "clanky-cockpit"

  /// Read, and written only on request: configuration, the user's themes.
  package let config: String?
  /// Written by the program: log, drafts, journal.
  package let state: String?
  /// Written by the program and disposable: the widget's last data.
  package let cache: String?
  /// Folders with installed themes, nearest first.
  package let data: [String]
  /// Variables that hold a path which is not UTF-8 and so count as not set.
  private let unreadable: Set<String>

  /// - Parameters:
  ///   - environment: usually the process's own.
  ///   - executable: path of the running program without links in it; themes installed beside it
  ///     are found.
  package init(environment: [String: String], executable: String?) {
    // Foundation gives U+FFFD for bytes that are no UTF-8: another path than the one that was meant,
    // which would be made beside it.
    let unreadable = Set(
      Self.variables.filter { environment[$0]?.unicodeScalars.contains("\u{FFFD}") ?? false })
    self.unreadable = unreadable
    func absolute(_ name: String) -> String? {
      // A relative path in these variables is to be ignored (XDG Base Directory Specification).
      guard !unreadable.contains(name) else { return nil }
      return environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = absolute("HOME")
    config =
      (absolute("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }).map { "\($0)/\(Self.folder)" }
    state =
      (absolute("XDG_STATE_HOME") ?? home.map { "\($0)/.local/state" })
      .map { "\($0)/\(Self.folder)" }
    cache =
      (absolute("XDG_CACHE_HOME") ?? home.map { "\($0)/.cache" }).map { "\($0)/\(Self.folder)" }
    var data: [String] = []
    if let own = absolute("XDG_DATA_HOME") ?? home.map({ "\($0)/.local/share" }) {
      data.append("\(own)/\(Self.folder)")
    }
    // <prefix>/bin/<program>
    if let executable, let end = executable.utf8.lastIndex(of: UInt8(ascii: "/")),
      let prefixEnd = executable.utf8[..<end].lastIndex(of: UInt8(ascii: "/"))
    {
      data.append("\(executable[..<prefixEnd])/share/\(Self.folder)")
    }
    let shared = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
    data += shared.split(separator: ":").filter { $0.hasPrefix("/") }.map {
      "\($0)/\(Self.folder)"
    }
    self.data = data
  }

  private static let variables = [
    "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
  ]

  /// Advice if there is no place for a file, to follow a colon: `set HOME or XDG_STATE_HOME to a
  /// full path`, and why a set path is ignored.
  ///
  /// - Parameter variable: the one that names the directory without HOME.
  package func remedy(_ variable: String) -> String {
    let advice = "set HOME or \(variable) to a full path"
    return complaint(variable).map { "\(advice); \($0)" } ?? advice
  }

  /// Why a set path is ignored, such as `HOME is no UTF-8 text and counts as not set`; nil if none
  /// is.
  package func complaint(_ variable: String) -> String? {
    let odd = ["HOME", variable].filter(unreadable.contains)
    guard !odd.isEmpty else { return nil }
    let are = odd.count > 1 ? "are no UTF-8 text and count" : "is no UTF-8 text and counts"
    return "\(odd.joined(separator: " and ")) \(are) as not set"
  }

  /// The configuration file that is read when none is named.
  package var configFile: String? { config.map { "\($0)/config.toml" } }

  /// Folders that may hold themes, the user's own first: it wins.
  package var themeFolders: [String] {
    (config.map { [$0] } ?? []).map { "\($0)/themes" } + data.map { "\($0)/themes" }
  }
}
