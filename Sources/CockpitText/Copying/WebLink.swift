import LenientJSON
import TerminalCore

/// A web address in untrusted text: http or https, in ASCII, with a readable host.
///
/// Nothing opens it; it is shown in full and can be copied (promise P12).
package struct WebLink: Hashable, Sendable {
  /// Non-ASCII and invalid characters are percent-encoded.
  package let url: String
  /// The target host, without user info and port.
  package let host: String

  /// nil for anything but a web address with a host of letters, digits, dots and hyphens: a host in
  /// another script may imitate a known one.
  package init?(_ text: String) {
    let scheme: String
    if text.lowercased().hasPrefix("https://") {
      scheme = "https://"
    } else if text.lowercased().hasPrefix("http://") {
      scheme = "http://"
    } else {
      return nil
    }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#\\".contains($0) }
    // User info is for looking like another host.
    guard !authority.contains("@") else { return nil }
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !first.isEmpty, first.utf8.count <= 253,
      first.utf8.allSatisfy(Self.isHostByte)
    else { return nil }
    if parts.count == 2 {
      guard let port = UInt16(parts[1]), port > 0 else { return nil }
    }
    let tail = rest.dropFirst(authority.count).prefix(Self.limit)
    url = scheme + authority.lowercased() + Self.encoded(tail)
    host = first.lowercased()
  }

  /// Maximum characters of path and query; a longer text is data and no address.
  private static let limit = 2000

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E: true
    default: false
    }
  }

  /// RFC 3986: unreserved and reserved characters and percent signs stay, the rest is encoded.
  private static func encoded(_ text: Substring) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
      default:
        if "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte) {
          bytes.append(byte)
        } else {
          bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The addresses in a text, in order, each once; at most `limit`.
  package static func found(in text: String, limit: Int = 20) -> [WebLink] {
    var links: [WebLink] = []
    // Enough for every message of Discord and far less than a prompt.
    var rest = text.prefix(20_000)
    while links.count < limit, let start = firstScheme(in: rest) {
      let word = rest[start...].prefix { !$0.isWhitespace && !"<>\"`|".contains($0) }
      rest = rest[word.endIndex...]
      guard let link = WebLink(String(trimmed(word))), !links.contains(link) else { continue }
      links.append(link)
    }
    return links
  }

  private static func firstScheme(in text: Substring) -> Substring.Index? {
    var start = text.startIndex
    while let index = text[start...].firstIndex(where: { $0 == "h" || $0 == "H" }) {
      let word = text[index...].prefix(8).lowercased()
      if word.hasPrefix("http://") || word == "https://" { return index }
      start = text.index(after: index)
    }
    return nil
  }

  /// Marks that end a sentence do not belong to the address, nor does a bracket that it stands in.
  private static func trimmed(_ word: Substring) -> Substring {
    var word = word
    while let last = word.last {
      if ".,;:!?'*_~".contains(last) {
        word.removeLast()
      } else if last == ")", !word.contains("(") {
        word.removeLast()
      } else if last == "]", !word.contains("[") {
        word.removeLast()
      } else {
        break
      }
    }
    return word
  }

  /// The addresses in all texts of a tree, such as the results of a search.
  package static func found(in value: JSONValue, limit: Int = 20) -> [WebLink] {
    var links: [WebLink] = []
    var budget = 2000
    func walk(_ value: JSONValue, _ depth: Int) {
      budget -= 1
      guard budget > 0, depth < 8, links.count < limit else { return }
      switch value {
      case .string(let text):
        for link in found(in: text, limit: limit) where !links.contains(link) {
          links.append(link)
        }
      case .array(let list): for element in list { walk(element, depth + 1) }
      case .object(let object): for member in object.members { walk(member.value, depth + 1) }
      default: break
      }
    }
    walk(value, 0)
    return Array(links.prefix(limit))
  }
}
