import LenientJSON

/// Keeps credentials out of what is shown or written to the disk.
///
/// The backend does not store its credentials in the settings, but a user may put one into an address or
/// into the arguments of a program, and a newer release may add a member for one.
package enum SettingSecrecy {
  /// Shown and written in place of a secret. It is never sent: `holdsMask` finds it.
  package static let mask = "[secret]"

  private static let words = [
    "token", "secret", "password", "passwd", "passphrase", "apikey", "privatekey", "credential",
    "authorization", "cookie", "accesskey",
  ]
  private static let beginnings = [
    "sk-", "sk_", "xai-", "ghp_", "gho_", "github_pat_", "xoxb-", "xoxp-", "AIza", "eyJ", "AKIA",
    "Bearer ", "glpat-",
  ]

  /// Whether a member of this name holds a credential when it is a text: `apiKey`, `access_token`.
  /// Counts such as `maxOutputTokens` are numbers and stay.
  static func isSecret(key: String) -> Bool {
    let plain = key.lowercased().filter { $0.isLetter || $0.isNumber }
    return words.contains { plain.contains($0) }
  }

  /// The value without its secrets.
  ///
  /// - Parameter key: the name of the member.
  package static func masked(_ value: JSONValue, key: String = "") -> JSONValue {
    masked(value, isSecret: isSecret(key: key))
  }

  package static func masked(_ value: JSONValue, at path: SettingPath) -> JSONValue {
    masked(value, isSecret: path.keys.contains(where: isSecret(key:)))
  }

  package static func masked(_ object: JSONObject) -> JSONObject {
    masked(.object(object)).object ?? JSONObject()
  }

  /// Whether a value holds the mask, which must not be sent in place of what it hides.
  package static func holdsMask(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): text.contains(mask)
    case .array(let elements): elements.contains(where: holdsMask)
    case .object(let object): object.members.contains { holdsMask($0.value) }
    case .null, .bool, .number: false
    }
  }

  /// Whether a text that is being typed may hold a secret, or become one: what is finished is judged by `masked`.
  package static func mayHoldSecret(_ text: String, at path: SettingPath) -> Bool {
    if path.keys.contains(where: isSecret(key:)) || text.contains(mask) { return true }
    if beginnings.contains(where: text.contains) { return true }
    // A user name of an address may be about to get its password.
    if let scheme = text.firstRange(of: "://"),
      text[scheme.upperBound...].contains(where: { "@=:".contains($0) })
    {
      return true
    }
    let isList = text.contains("{") || text.contains("[") || text.contains("--")
    return isList && isSecret(key: text)
  }

  private static func masked(_ value: JSONValue, isSecret: Bool) -> JSONValue {
    switch value {
    case .string(let text):
      if isSecret, !text.isEmpty { return .string(mask) }
      return .string(masked(text))
    case .array(let elements):
      var isNext = isSecret
      return .array(
        elements.map { element in
          let shown = masked(element, isSecret: isNext)
          // `--api-key VALUE`: the argument after such an option.
          isNext = isSecret || (element.string.map { isOption($0) } ?? false)
          return shown
        })
    case .object(let object):
      return .object(
        JSONObject(
          members: object.members.map { member in
            .init(
              key: member.key,
              value: masked(member.value, isSecret: isSecret || Self.isSecret(key: member.key)))
          }))
    case .null, .bool, .number: return value
    }
  }

  private static func isOption(_ text: String) -> Bool {
    text.hasPrefix("-") && !text.contains("=") && isSecret(key: text)
  }

  /// A text without user information of addresses, secret parameters and words that look like a
  /// credential.
  private static func masked(_ text: String) -> String {
    guard text.contains("://") || text.contains("=") || beginnings.contains(where: text.contains)
    else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false)
      .map { maskedWord(String($0)) }.joined(separator: " ")
  }

  private static func maskedWord(_ word: String) -> String {
    if beginnings.contains(where: { word.hasPrefix($0) }), word.utf8.count >= 16 { return mask }
    var word = word
    if let scheme = word.firstRange(of: "://") {
      let end =
        word[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? word.endIndex
      if let at = word[scheme.upperBound..<end].lastIndex(of: "@") {
        word.replaceSubrange(scheme.upperBound..<at, with: mask)
      }
    }
    guard word.contains("=") else { return word }
    return word.split(separator: "&", omittingEmptySubsequences: false).map { part in
      guard let equals = part.firstIndex(of: "="), equals < part.index(before: part.endIndex)
      else { return String(part) }
      let key = part[..<equals].split(whereSeparator: { "?#;".contains($0) }).last ?? ""
      let isHidden =
        isSecret(key: String(key)) || ["key", "sig", "auth", "code"].contains(key.lowercased())
      return isHidden ? part[...equals] + mask : String(part)
    }.joined(separator: "&")
  }
}
