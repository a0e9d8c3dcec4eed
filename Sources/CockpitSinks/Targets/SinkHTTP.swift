package import Networking

/// A request of a sink.
package struct SinkRequest: Sendable {
  package var url: SinkURL
  package var headers: [HTTPHeader]
  package var body: [UInt8]

  package init(url: SinkURL, headers: [HTTPHeader], body: [UInt8]) {
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What came of a request.
package enum SinkReply: Sendable {
  case answer(status: Int, headers: [HTTPHeader], body: [UInt8], retryAfterMs: Int?)
  /// No answer; a sentence without secrets.
  case failed(String)

  /// What it means, for far ends that answer as HTTP does.
  package var answer: SinkAnswer {
    switch self {
    case .failed(let words): return .busy(words)
    case .answer(let status, _, let body, let retryAfterMs):
      let text = String(decoding: body.prefix(2000), as: UTF8.self)
      let line = text.split { $0.isNewline || $0 == "\0" }.first.map(String.init) ?? ""
      return SinkAnswer(
        status: status, retryAfterMs: retryAfterMs, words: String(line.prefix(300)))
    }
  }
}

/// Sends a request and waits for the answer, on the calling thread.
package typealias SinkHTTP = @Sendable (SinkRequest) -> SinkReply

/// The address of a sink.
package struct SinkURL: Hashable, Sendable {
  package let base: BackendURL
  package let query: [RequestTarget.QueryItem]

  /// - Parameters:
  ///   - text: `https://host:port/path`, without a query.
  ///   - path: the default path, if the text has none.
  package init(
    _ text: String, path: [String] = [], query: [RequestTarget.QueryItem] = [],
    allowsPlainHTTP: Bool
  ) throws(BackendURL.Problem) {
    let base = try BackendURL(text, allowPlainHTTP: allowsPlainHTTP)
    if base.basePath.isEmpty, !path.isEmpty {
      self.base = try BackendURL(
        base.origin + "/" + path.joined(separator: "/"), allowPlainHTTP: allowsPlainHTTP)
    } else {
      self.base = base
    }
    self.query = query
  }

  private init(base: BackendURL, query: [RequestTarget.QueryItem]) {
    self.base = base
    self.query = query
  }

  /// The same with more of a query.
  package func adding(_ items: [RequestTarget.QueryItem]) -> SinkURL {
    SinkURL(base: base, query: query + items)
  }
}
