package import CockpitDomain
package import LenientJSON

/// What a service of conversations consists of, line by line, as its source states it. Text in it is remote.
package struct ServiceBoard: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    /// What a line means; another word counts as text.
    package enum Role: String, Sendable { case text, muted, focus, positive, warning, negative }

    package var text: String
    package var role: Role
    /// When it was, ms since 1970; shown as a time and an age.
    package var atMs: Int64?
    /// 0 to 1, drawn as a bar.
    package var bar: Double?
    /// What can be opened; nil for nothing.
    package var item: String?
  }

  package struct Section: Hashable, Sendable {
    /// `pulse voice brain memory cmd`
    package var tab: String
    package var title: String
    package var trailing: String
    /// When its list was read, ms since 1970; nil for one that is kept up to date.
    package var readMs: Int64?
    /// Whether it is about the live conversation, whose connection is not that of the lists.
    package var isOfConversation: Bool
    package var rows: [Row]
  }

  /// `elevenlabs` or `companion`.
  package var kind: SourceKind
  /// What the service is called.
  package var name: String
  /// Of its live conversation: `idle connecting active ended error`; of a companion gateway its word for what the
  /// agent does, empty before the first.
  package var state: String
  package var sections: [Section]

  package init?(_ value: JSONValue) {
    guard value.object != nil else { return nil }
    kind = value["kind"]?.string.flatMap(SourceKind.init) ?? .elevenlabs
    name = value["name"]?.string ?? ""
    state = value["state"]?.string ?? ""
    sections = (value["sections"]?.array ?? []).map(Section.init)
  }

  /// Whether a conversation is connected or connecting.
  package var isConversing: Bool { kind == .elevenlabs && isUnderWay }
  private var isUnderWay: Bool { state == "active" || state == "connecting" }

  package func sections(of tab: String) -> [Section] { sections.filter { $0.tab == tab } }
}

extension ServiceBoard.Section {
  init(_ value: JSONValue) {
    tab = value["tab"]?.string ?? ""
    title = value["title"]?.string ?? ""
    trailing = value["trailing"]?.string ?? ""
    readMs = value["read_ms"]?.int.map(Int64.init)
    isOfConversation = value["own"]?.bool ?? false
    rows = (value["rows"]?.array ?? []).prefix(1_000).compactMap(ServiceBoard.Row.init)
  }
}

extension ServiceBoard.Row {
  init?(_ value: JSONValue) {
    guard let text = value["text"]?.string else { return nil }
    self.text = text
    role = value["role"]?.string.flatMap(Role.init) ?? .text
    atMs = value["at_ms"]?.int.map(Int64.init)
    bar = value["bar"]?.double.flatMap { $0.isFinite ? min(1, max(0, $0)) : nil }
    item = value["item"]?.string
  }
}
