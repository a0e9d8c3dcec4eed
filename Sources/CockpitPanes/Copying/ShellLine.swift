import ClankyLink
import CockpitStores
import TerminalCore

/// Command lines that are copied: quoted so that a POSIX shell sees each word as it was given.
enum ShellLine {
  /// A word in single quotes, unless it is plain.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-_./:,=@%+".utf8.contains(byte)
      }
    }
    if plain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// Words with a space between them.
  static func of(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// A request to the backend for curl. The token is left to the shell's variable: it is nowhere in
  /// what is copied (promise P6). The header is the one that the backend takes (contract 1.2).
  ///
  /// - Parameter address: the backend's, as `BackendURL` spells it.
  static func curl(_ address: String, _ target: RequestTarget) -> String {
    let base = address.hasSuffix("/") ? String(address.dropLast()) : address
    return "curl -sS -H \"x-dashboard-token: $CLANKY_TOKEN\" " + quoted(base + target.encoded)
  }
}

extension Facts {
  /// A command line of this program for the backend on the screen: a link that can be kept.
  func permalink(_ words: [String]) -> String {
    let isNamed = !profile.isEmpty && profile != "demo"
    let place = isNamed ? ["--profile", profile] : ["--url", connection.address]
    return ShellLine.of(["clanky-cockpit"] + words + place)
  }
}
