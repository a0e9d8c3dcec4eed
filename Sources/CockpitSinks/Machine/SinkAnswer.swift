/// What a far end says about a batch.
package enum SinkAnswer: Hashable, Sendable {
  /// Accepted.
  ///
  /// - rejected: rows that it left out, which sending again would not change.
  case accepted(rejected: Int = 0, words: String? = nil)
  /// Not now: there is no connection, or it is overloaded.
  case busy(String, retryAfterMs: Int? = nil)
  /// Refused, perhaps because of one of the rows.
  case refused(String)
  /// Refused regardless of the rows: a wrong address, a missing permission, another schema.
  case closed(String)

  /// What an answer of HTTP means. Retryable are 429, 502, 503 and 504, as OTLP has it.
  ///
  /// - Parameters:
  ///   - status: of a final answer.
  ///   - words: what the far end said, for messages.
  package init(status: Int, retryAfterMs: Int?, words: String) {
    let text = words.isEmpty ? "\(status)" : "\(status): \(words)"
    switch status {
    case 200...299: self = .accepted()
    case 429, 502, 503, 504: self = .busy(text, retryAfterMs: retryAfterMs)
    case 300...399: self = .closed("\(status): redirects are not followed; correct the url")
    // Nothing in a row changes these.
    case 401, 403, 404, 405, 407: self = .closed(text)
    default: self = .refused(text)
    }
  }
}
