internal import ClankyWire
internal import LenientJSON

/// The values of one row for the fields of a table. `field:value` in a filter uses the same values,
/// so that the filter for a line finds the rows of that line. Metadata is parsed once, and only if
/// a field needs it.
struct RowValues {
  let row: ActionRowView
  private let metadata: JSONValue

  init(_ row: ActionRowView, readsMetadata: Bool) {
    self.row = row
    metadata = readsMetadata ? row.metadata() : .null
  }

  /// Whether a field is in the details.
  static func isInMetadata(_ field: QueryField) -> Bool {
    switch field {
    case .model, .provider, .tool, .source, .session, .ms, .tokens, .meta: true
    default: false
    }
  }

  /// The values of a field, without those of the same spelling.
  func texts(_ field: QueryField, _ path: [String]) -> [String] {
    switch field {
    case .kind: return [row.kind]
    case .domain: return [row.domain.rawValue]
    case .severity: return [Self.name(row.severity)]
    case .chip:
      return ChipGroup.allCases.filter { $0 != .all && row.chips.contains($0) }.map(\.name)
    case .event: return only(row.label.event)
    case .user: return only(row.userID)
    case .channel: return only(row.channelID)
    case .guild: return only(row.guildID)
    case .message: return only(row.messageID)
    case .id: return only(row.actionID.map(String.init))
    default: return MetadataTerm.texts(field, path, metadata, row)
    }
  }

  private func only(_ text: String?) -> [String] { text.map { [$0] } ?? [] }

  private static func name(_ severity: Severity) -> String {
    switch severity {
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }

  /// A number in the smallest unit of its table: billionths of a dollar, millionths of others.
  enum Amount: Hashable {
    case value(Int64)
    case none
    /// More than can be added exactly.
    case tooLarge
  }

  func amount(_ number: QueryNumber) -> Amount {
    let value: Double?
    switch number.field {
    case .cost:
      let nanos = row.record.cost.nanos
      return nanos == 0 ? .none : nanos > Self.limit ? .tooLarge : .value(nanos)
    case .ms: value = MetadataTerm.duration(metadata)
    case .tokens: value = MetadataTerm.tokens(metadata)
    default: value = MetadataTerm.value(number.path, metadata)?.double
    }
    guard let value, value.isFinite else { return .none }
    guard value.magnitude <= Double(Self.limit) / 1_000_000 else { return .tooLarge }
    return .value(Int64((value * 1_000_000).rounded()))
  }

  /// A million such values fit into a sum.
  private static let limit: Int64 = 9_000_000_000_000
}

extension MetadataTerm {
  /// The value at a path; nil if there is none.
  static func value(_ path: [String], _ metadata: JSONValue) -> JSONValue? {
    var value: JSONValue? = metadata
    for key in path {
      if let index = Int(key), let array = value?.array {
        value = array.indices.contains(index) ? array[index] : nil
      } else {
        value = value?[key]
      }
    }
    return value
  }

  /// The texts that a filter compares with its patterns.
  static func texts(
    _ field: QueryField, _ path: [String], _ metadata: JSONValue, _ row: ActionRowView
  ) -> [String] {
    switch field {
    case .model:
      return texts([metadata["model"], metadata["responseModel"], metadata["llm"]?["model"]])
    case .provider:
      return texts([
        metadata["provider"], metadata["providerUsed"], metadata["llm"]?["provider"],
      ])
    case .source: return texts([metadata["source"]])
    case .session: return texts([metadata["sessionId"], metadata["sessionKey"]])
    case .tool: return tools(metadata, row)
    case .meta:
      switch value(path, metadata) {
      case .string(let text)?: return [text]
      case .number(let number)?: return [number.text]
      case .bool(let bool)?: return [bool ? "true" : "false"]
      case .array(let elements)?: return elements.compactMap(\.string)
      default: return []
      }
    default: return []
    }
  }

  private static func texts(_ values: [JSONValue?]) -> [String] { values.compactMap { $0?.string } }
}
