internal import Networking

/// The far ends that there are.
package enum SinkTargets {
  /// Metrics in Prometheus' text format.
  ///
  /// - Parameters:
  ///   - file: replaced every 15 s; nil for none.
  ///   - page: what an endpoint serves; nil for none.
  package static func prometheus(
    file: String?, page: MetricsPage?, bot: String, live: LiveFigures
  ) -> any SinkTarget {
    MetricsTarget(file: file, page: page, bot: bot, live: live)
  }

  /// A file of lines in the shape of the bot's own log.
  package static func ndjson(file: String, bot: String, maxBytes: Int) -> any SinkTarget {
    LineFile(path: file, instance: bot, maxBytes: maxBytes)
  }

  /// The size at which a file is rotated, unless the configuration has another one.
  package static let standardFileBytes = 50 << 20

  /// - Parameter url: of the server; `/loki/api/v1/push` is added unless it has a path.
  package static func loki(
    url: String, allowsPlainHTTP: Bool, bot: String, http: @escaping SinkHTTP
  ) throws(SinkProblem) -> any SinkTarget {
    let address = try self.url(
      url, path: ["loki", "api", "v1", "push"], allowsPlainHTTP: allowsPlainHTTP)
    return LokiTarget(url: address, bot: bot, http: http)
  }

  static func url(
    _ text: String, path: [String] = [], allowsPlainHTTP: Bool
  ) throws(SinkProblem) -> SinkURL {
    do throws(BackendURL.Problem) {
      return try SinkURL(text, path: path, allowsPlainHTTP: allowsPlainHTTP)
    } catch {
      if case .plainHTTP(let host) = error {
        throw SinkProblem(
          "rows would travel readable to \(host); use https, or set allow_plain_http = true")
      }
      throw SinkProblem(String(error.description.dropLast()))
    }
  }
}
