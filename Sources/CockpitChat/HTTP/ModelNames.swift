internal import LenientJSON
internal import Networking

/// The ids of an answer of `/v1/models`.
struct ModelNames {
  var names: [String]

  /// nil when this is no list of models.
  init?(_ body: [UInt8]) {
    guard let json = try? JSONValue.parse(body), let data = json["data"]?.array else { return nil }
    names = data.compactMap { $0["id"]?.string }.filter { !$0.isEmpty }
  }
}

extension ChatServer {
  /// A body without the secret, which a server may repeat.
  func redacted(_ body: [UInt8]) -> [UInt8] {
    guard let secret else { return body }
    do throws(TokenText.Problem) {
      let token = try TokenText(secret)
      return body.withUnsafeBytes { token.redact(failure: $0) } ?? body
    } catch {
      // It was checked where it was read; words that cannot be checked are not shown.
      return []
    }
  }
}
