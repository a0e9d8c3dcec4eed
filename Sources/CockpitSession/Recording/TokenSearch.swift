import CockpitHistory
import Networking

/// Looks for the bot's token in bytes of what must not contain it.
package struct TokenSearch: Sendable {
  /// Whether the token is in the bytes.
  package let finds: @Sendable (UnsafeRawBufferPointer) -> Bool
  /// Whether the token is known, or there is none: only a command may give it, or it cannot be read.
  package let isKnown: Bool

  package init(_ settings: Settings) {
    do throws(Failure) {
      let url = try settings.backendURL()
      guard settings.tokenKey(for: url) != "token_command" else {
        self.init(finds: { _ in false }, isKnown: false)
        return
      }
      let token = try settings.foundToken(for: url)?.token
      self.init(finds: { token?.redact($0) != nil }, isKnown: true)
    } catch {
      self.init(finds: { _ in false }, isKnown: false)
    }
  }

  private init(finds: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool, isKnown: Bool) {
    self.finds = finds
    self.isKnown = isKnown
  }

  /// What the check of a written bundle has shown.
  package func sentence(of level: RedactionLevel) -> String {
    let names =
      level == .none
      ? "ids and names are as they were" : "no known name or id is in it"
    return isKnown
      ? "read again and checked: the token is not in it, \(names)"
      : "read again and checked: \(names); the token was not looked for, because it cannot be read here"
  }
}
