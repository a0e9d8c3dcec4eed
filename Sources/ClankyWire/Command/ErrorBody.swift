import LenientJSON

/// The body of a failed request (contract 1.6): one of four JSON dialects, plain text for unknown
/// GET paths, or the answer of a proxy or a wrong server. All text is untrusted.
package struct ErrorBody: Hashable, Sendable {
  /// The format of the body.
  package enum Dialect: Hashable, Sendable {
    /// `{error}`
    case error
    /// `{ok: false, error}`
    case okError
    /// `{ok: false, reason}`
    case okReason
    /// `{accepted: false, reason}`
    case acceptedReason
    /// JSON that says nothing known.
    case otherJSON
    /// Short text that is no JSON.
    case plainText
    /// A web page, so not the backend's own answer.
    case html
    /// No body.
    case empty
  }

  /// The format of the body.
  package var dialect: Dialect
  /// The `error` or `reason`, or the first line of plain text; nil if there is none. Never HTML.
  package var message: String?
  /// More words some routes add: `detail` or `message`.
  package var detail: String?
  /// The name that was expected by a guild purge (`expectedGuildName`, contract 3.5).
  package var expectedGuildName: String?

  /// Memberwise.
  package init(
    dialect: Dialect, message: String? = nil, detail: String? = nil,
    expectedGuildName: String? = nil
  ) {
    self.dialect = dialect
    self.message = message
    self.detail = detail
    self.expectedGuildName = expectedGuildName
  }

  /// Plain text is kept up to this many characters: our choice, enough for one line.
  package static let plainTextLimit = 200

  /// Reads any body; `contentType` is the header as it came.
  package init(body: [UInt8], contentType: String? = nil) {
    let text = String(decoding: body.prefix(4096), as: UTF8.self).trimmedASCII
    let type = contentType?.lowercased() ?? ""
    if text.isEmpty {
      self.init(dialect: .empty)
    } else if type.contains("html") || text.unicodeScalars.first == "<" {
      self.init(dialect: .html)
    } else if let json = try? JSONValue.parse(body) {
      self.init(json)
    } else {
      let line = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }.prefix(Self.plainTextLimit)
      self.init(dialect: .plainText, message: String(String.UnicodeScalarView(line)))
    }
  }

  /// Reads a body that is JSON.
  package init(_ json: JSONValue) {
    self.init(dialect: .otherJSON)
    guard let fields = JSONFields(json) else { return }
    detail = fields.string("detail", "message")
    expectedGuildName = fields.string("expectedGuildName")
    if let error = fields.string("error") {
      message = error
      dialect = fields.bool("ok") == nil ? .error : .okError
    } else if let reason = fields.string("reason") {
      message = reason
      dialect = fields.bool("accepted") == nil ? .okReason : .acceptedReason
    }
  }
}

extension String {
  fileprivate var trimmedASCII: String {
    let isSpace = { (scalar: Unicode.Scalar) in scalar.value <= 0x20 || scalar == "\u{FEFF}" }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
