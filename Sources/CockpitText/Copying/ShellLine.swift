import Networking
import CockpitStores
import TerminalCore

/// Command lines that are copied: quoted so that a POSIX shell sees each word as it was given.
package enum ShellLine {
  /// A word in single quotes, unless it is plain.
  package static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-_./:,=@%+".utf8.contains(byte)
      }
    }
    if plain, !word.isEmpty { return word }
    // No quotes keep a line editor from taking these for keys.
    if word.unicodeScalars.contains(where: { PasteSafe.acts($0) || $0 == "\r" }) {
      return spelled(word)
    }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// A word in `$'…'`, all but letters and digits as octal bytes (POSIX.1-2024, 2.2.4).
  private static func spelled(_ word: String) -> String {
    let bytes = word.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return String(decoding: [byte], as: UTF8.self)
      default:
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return "$'" + bytes.joined() + "'"
  }

  /// Words with a space between them.
  package static func of(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// A curl request to the backend. The token is left to a shell variable and never copied (promise
  /// P6). The header is the backend's (contract 1.2).
  ///
  /// - Parameter address: the backend's, as spelled by `BackendURL`.
  package static func curl(_ address: String, _ target: RequestTarget) -> String {
    let base = address.hasSuffix("/") ? String(address.dropLast()) : address
    return "curl -sS -H \"x-dashboard-token: $CLANKY_TOKEN\" " + quoted(base + target.encoded)
  }
}
