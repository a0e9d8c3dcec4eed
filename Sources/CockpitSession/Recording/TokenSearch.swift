import Networking

extension Settings {
  /// Whether the bot's token is in bytes: for what must not contain it. A token that only a command gives is not
  /// asked for; of a history whose bot is not configured here there is none.
  package func tokenSearch() -> @Sendable (UnsafeRawBufferPointer) -> Bool {
    do throws(Failure) {
      let url = try backendURL()
      guard tokenKey(for: url) != "token_command", let found = try foundToken(for: url) else {
        return { _ in false }
      }
      let token = found.token
      return { token.redact($0) != nil }
    } catch {
      return { _ in false }
    }
  }
}
