extension Configuration {
  /// A far end to which a recorder sends what it has recorded: a table `[sinks.NAME]`.
  package struct Sink: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
      case prometheus, ndjson, loki, otlp, postgres, clickhouse

      /// The key that says where.
      package var place: String {
        switch self {
        case .prometheus, .ndjson: "file"
        case .loki, .otlp, .clickhouse: "url"
        case .postgres: "dsn"
        }
      }

      /// What is left out unless `redact` says otherwise: replay rests on what a shared history has.
      package var redact: String { self == .postgres || self == .clickhouse ? "none" : "people" }
    }

    package var kind: Kind
    package var url: String?
    /// As libpq takes it; without a password.
    package var dsn: String?
    /// A path; `~/` is the home folder.
    package var file: String?
    /// `people`, `words` or `none`.
    package var redact: String?
    package var prompts: Bool?
    /// Prints headers, one `Name: value` a line.
    package var headersCommand: String?
    package var maxLagMs: Int64?
    /// What is sent of turns: `answered`, `silent`, `anomaly`; nil for all.
    package var sample: [String]?
    package var allowPlainHTTP: Bool?
    /// Whether requests are compressed with gzip.
    package var gzip: Bool?
    /// The bytes at which a file is rotated.
    package var maxBytes: Int?

    package init(kind: Kind) { self.kind = kind }
  }
}
