internal import ClankyWire
internal import CockpitHistory
internal import LenientJSON
internal import Networking

/// Inserts documents and link records into ClickHouse.
final class ClickHouseRecords {
  let feed: RecordFeed
  private let url: SinkURL
  private let http: SinkHTTP
  private let bot: String

  init(_ feed: RecordFeed, url: SinkURL, bot: String, http: @escaping SinkHTTP) {
    self.feed = feed
    self.url = url
    self.http = http
    self.bot = bot
  }

  /// Sends the next page; nil if there is none.
  func send() -> SinkAnswer? {
    guard let page = feed.page else { return feed.takeProblem().map { .busy($0) } }
    var documents: [UInt8] = []
    var links: [UInt8] = []
    for entry in page.entries {
      switch entry.record {
      case .document(let document): documents += line(document, entry.id)
      case .link(let link): links += line(link, entry.id, page.end.file)
      }
    }
    for (table, body) in [("document", documents), ("link", links)] where !body.isEmpty {
      // A page that is sent again is merged by its keys.
      let target = url.adding([
        .init("query", "INSERT INTO clanky.\(table) FORMAT JSONEachRow")
      ])
      let type = HTTPHeader("Content-Type", "application/x-ndjson")
      let answer = http(SinkRequest(url: target, headers: [type], body: body)).answer
      guard case .accepted = answer else { return answer }
    }
    feed.advance()
    return .accepted()
  }

  private func line(_ document: RecordedDocument, _ id: Int64) -> [UInt8] {
    var object = JSONObjectWriter(capacity: document.body.count + 300)
    object.string("bot", SinkText.plain(bot).text)
    object.string("name", SinkText.plain(document.name).text)
    object.string("at", SinkText.clickHouseTime(document.atMs))
    object.string("recorder", feed.recorder)
    object.int("id", Int(id))
    object.int("seq", Int(document.seq))
    object.string("arrived", SinkText.clickHouseTime(document.receivedMs))
    object.string("body", SinkText.plain(String(decoding: document.body, as: UTF8.self)).text)
    return object.finish() + [UInt8(ascii: "\n")]
  }

  private func line(_ link: RecordedLink, _ id: Int64, _ part: String) -> [UInt8] {
    var object = JSONObjectWriter(capacity: link.value.count + 300)
    object.string("bot", SinkText.plain(bot).text)
    object.string("at", SinkText.clickHouseTime(link.atMs))
    object.string("recorder", feed.recorder)
    object.string("part", part)
    object.int("id", Int(id))
    object.int("seq", Int(link.seq))
    object.string("arrived", SinkText.clickHouseTime(link.receivedMs))
    object.string("what", SinkText.plain(link.what.rawValue).text)
    object.string("value", SinkText.plain(String(decoding: link.value, as: UTF8.self)).text)
    return object.finish() + [UInt8(ascii: "\n")]
  }
}
