extension Configuration {
  /// A far end to which a recorder sends what it has recorded: a table `[sinks.NAME]`.
  package struct Sink: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
      case prometheus, ndjson, loki

      /// The key that says where.
      package var place: String {
        switch self {
        case .prometheus, .ndjson: "file"
        case .loki: "url"
        }
      }

      /// What is left out unless `redact` says otherwise.
      package var redact: String { "people" }
    }

    package var kind: Kind
    package var url: String?
    /// A path; `~/` is the home folder.
    package var file: String?
    /// `people`, `words` or `none`.
    package var redact: String?
    package var prompts: Bool?
    /// Prints headers, one `Name: value` a line.
    package var headersCommand: String?
    package var maxLagMs: Int64?
    package var allowPlainHTTP: Bool?
    /// The bytes at which a file is rotated.
    package var maxBytes: Int?

    package init(kind: Kind) { self.kind = kind }
  }
}
