internal import LenientJSON
internal import ClankyWire

/// Every reader of an answer takes whatever comes, and the one that reads only what is wanted gives what reading
/// the whole gives. An input is several documents, separated by 0x1E.
enum WireProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    for document in input.split(separator: 0x1E, maxSplits: 5).map(Array.init) {
      let value: JSONValue?
      do { value = try JSONValue.parse(document) } catch { value = nil }
      var envelope = value.flatMap(StatsEnvelope.init)
      envelope?.runtime?.voice = nil
      try document.withUnsafeBytes { bytes in
        let found: StatsEnvelope?
        do { found = try StatsEnvelope.withoutVoice(bytes) } catch { found = nil }
        try require(found == envelope, "the stats differ from the whole")
      }
      if let value { try readAll(value) }
    }
  }

  /// All readers; of the lists, a bad row must cost itself.
  private static func readAll(_ value: JSONValue) throws {
    for read in readers { read(value) }
    guard case .array(let elements) = value else { return }
    let guilds = WireList<Guild>(value)
    try require(
      guilds.map { $0.rows.count + $0.omitted } == elements.count, "rows of the list are lost")
  }

  private static func reader<Value: WireReadable>(_: Value.Type) -> @Sendable (JSONValue) -> Void {
    { _ = Value($0) }
  }

  private static let readers: [@Sendable (JSONValue) -> Void] = [
    reader(AsrSessionList.self), reader(AuthSession.self), reader(AutomationPage.self),
    reader(AutomationRunPage.self), reader(BrowserSessionPage.self), reader(WireList<Channel>.self),
    reader(WireList<HistorySession>.self), reader(JoinResult.self), reader(McpStatus.self),
    reader(HealthReply.self), reader(OAuthStatus.self), reader(FactReply.self),
    reader(DeleteReply.self), reader(SettingsEnvelope.self), reader(ToolEventList.self),
    reader(ConversationWindow.self), reader(Fact.self), reader(FactPage.self),
    reader(FactProfile.self), reader(RuntimeSnapshot.self), reader(PublicHttpsReply.self),
    reader(SubjectPage.self), reader(SearchResult.self), reader(ReflectionPage.self),
    reader(MemoryMarkdown.self), reader(OwnerProfileReply.self),
  ]
}
