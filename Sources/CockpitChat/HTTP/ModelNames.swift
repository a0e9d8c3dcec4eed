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
  /// The shortest value of a header that is looked for in answers; a shorter one hides nothing.
  private static let shortestSecret = 4

  private var secrets: [String] {
    [secret].compactMap(\.self)
      + headers.map(\.value).filter { $0.utf8.count >= Self.shortestSecret }
  }

  /// A body without the secrets, which a server may repeat.
  func redacted(_ body: [UInt8]) -> [UInt8] {
    var body = body
    for secret in secrets {
      do throws(TokenText.Problem) {
        let token = try TokenText(secret)
        body = body.withUnsafeBytes { token.redact(failure: $0) } ?? body
      } catch {
        // It was checked where it was read; words that cannot be checked are not shown.
        return []
      }
    }
    return body
  }
}
