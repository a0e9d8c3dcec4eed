internal import DeviceKeys
internal import LenientJSON

/// A setup code of a gateway: its address, and a token that lets one device in once (OPENCLAW.md, 5).
///
/// It is base64url of a JSON object, or a link `oc-pair://CODE`.
package struct SetupCode: Sendable, Equatable {
  /// As the gateway wrote it, unchecked.
  package var url: String
  package var bootstrapToken: String
  /// The gateway's clock, ms since 1970; nil if the code does not say it (protocol 3).
  package var expiresAtMs: Int?

  /// Why a text is no code. No message repeats the text: it is a secret.
  package enum Problem: Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    case empty, tooLong, characters, notJSON, noAddress, noToken, expired

    package var description: String {
      switch self {
      case .empty: "The setup code is empty. Paste what the gateway shows."
      case .tooLong: "This is too long for a setup code. Paste the code alone."
      case .characters:
        "This is no setup code: it has other characters, or its end is missing. Copy it whole."
      case .notJSON:
        "This is no setup code of a gateway, or a part of it is missing. Copy it whole."
      case .noAddress: "The setup code names no address. Make a new one on the gateway."
      case .noToken: "The setup code has no token in it. Make a new one on the gateway."
      case .expired: "The setup code has expired. Make a new one on the gateway."
      }
    }
  }

  /// Codes have some hundred characters.
  private static let maximumLength = 8_192
  private static let scheme = "oc-pair://"

  /// - Parameter nowMs: ms since 1970, to refuse a code that has expired. A clock that is wrong by some seconds does
  ///   no harm: the gateway decides.
  package init(_ text: String, nowMs: Int64) throws(Problem) {
    var text = text.filter { !$0.isWhitespace }
    if text.lowercased().hasPrefix(Self.scheme) {
      text.removeFirst(Self.scheme.count)
      // Browsers and mail programs end a host with a slash.
      if text.hasSuffix("/") { text.removeLast() }
    }
    guard !text.isEmpty else { throw .empty }
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
    // Plain base64 is taken too.
    let plain = text.replacing("+", with: "-").replacing("/", with: "_")
    let letters = String(plain.reversed().drop { $0 == "=" }.reversed())
    guard let bytes = Base64URL.decoded(letters) else { throw .characters }
    guard let body = String(validating: bytes, as: UTF8.self),
      let value = try? JSONValue.parse(body),
      case .object = value
    else { throw .notJSON }
    let urls = value["urls"]?.array?.compactMap(\.string) ?? []
    guard let url = ([value["url"]?.string].compactMap(\.self) + urls).first(where: { !$0.isEmpty })
    else { throw .noAddress }
    guard let token = value["bootstrapToken"]?.string, !token.isEmpty else { throw .noToken }
    self.url = url
    bootstrapToken = token
    expiresAtMs = value["expiresAtMs"]?.int
    if let expiresAtMs, nowMs >= Int64(expiresAtMs) { throw .expired }
  }
}
