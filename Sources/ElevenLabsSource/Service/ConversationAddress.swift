package import Networking

/// Where a conversation is opened: the address of a public agent, or one that the service has signed. A signed one is a
/// secret, is used once, and is never shown.
package enum ConversationAddress {
  /// The most bytes of one message: several seconds of speech.
  private static let maximumMessage = 4 << 20

  /// For an agent that anybody may talk to.
  package static func open(_ agent: String, at base: BackendURL) -> WebSocketRequest? {
    let scheme = base.scheme == .https ? "wss://" : "ws://"
    let authority = base.origin.split(separator: "//", maxSplits: 1).last ?? ""
    return request(
      scheme + authority + base.basePath + "/v1/convai/conversation",
      query: "agent_id=" + RequestTarget.encode(agent), isPlainAllowed: base.scheme == .http)
  }

  /// - Parameter base: that of the profile; where it is encrypted, the signed address has to be as well.
  /// - Returns: nil for an address that cannot be used.
  package static func signed(_ text: String, at base: BackendURL) -> WebSocketRequest? {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, parts.count == 2, !text.contains("#") else { return nil }
    return request(
      String(address), query: String(parts[1]), isPlainAllowed: base.scheme == .http)
  }

  private static func request(
    _ address: String, query: String, isPlainAllowed: Bool
  ) -> WebSocketRequest? {
    // Verbatim in a request line: nothing that could end it.
    guard query.utf8.count <= 4_096, query.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    do throws(WebSocketURL.Problem) {
      let url = try WebSocketURL(address, insecure: isPlainAllowed)
      return WebSocketRequest(url: url, query: query, maximumMessage: maximumMessage)
    } catch {
      return nil
    }
  }
}
