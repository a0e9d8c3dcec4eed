package import CockpitHistory
internal import DeviceKeys
internal import LenientJSON

/// Pages of documents and link records for a database that also stores the rows. Used on the thread of
/// one sink.
package final class RecordFeed {
  /// Tells the recorders of one bot apart, in 16 hexadecimal digits.
  package let recorder: String
  private let sequence: RecordSequence
  private var place: RecordPlace?
  /// The number of the row with which sending began.
  private var fromSeq: Int64 = 0
  private var next: RecordPage?
  private var problem: String?

  /// A page: link records and documents, and the bytes of these.
  private static let pageRecords = 200
  private static let pageBytes = 4 << 20

  package init(folder: String, bot: HistoryNotes.SinkBot) throws(HistoryError) {
    sequence = try RecordSequence(folder)
    recorder = Digest.hexadecimal(
      Array(RowFingerprint.digest([Array("recorder".utf8), bot.secret]).prefix(8)))
  }

  /// Where it is, as JSON: what a sink keeps.
  package var state: String {
    guard let place else { return "" }
    return JSONValue.body([
      ("file", .string(place.file)), ("document", .integer(place.document)),
      ("link", .integer(place.link)), ("from", .integer(fromSeq)),
    ]).serialized()
  }

  package func begin(state: String) {
    guard let json = try? JSONValue.parse(Array(state.utf8)), let file = json["file"]?.string
    else { return }
    place = RecordPlace(
      file: file, document: Int64(json["document"]?.int ?? 0), link: Int64(json["link"]?.int ?? 0))
    fromSeq = Int64(json["from"]?.int ?? 0)
  }

  /// Begins with the records of the first row that is sent, and again with earlier ones when earlier rows are sent.
  package func follow(firstSeq seq: Int64) {
    guard place == nil || seq < fromSeq else { return }
    do throws(HistoryError) {
      place = try sequence.place(beforeSeq: seq)
      fromSeq = seq
      next = nil
    } catch {
      problem = error.description
    }
  }

  /// Whether there is something to send, or to say.
  package var hasMore: Bool { problem != nil || page != nil }

  /// Why the history cannot be read; said once.
  func takeProblem() -> String? {
    defer { problem = nil }
    return problem
  }

  /// The next page; nil if all was sent.
  var page: RecordPage? {
    if let next { return next }
    guard let place else { return nil }
    do throws(HistoryError) {
      let page = try sequence.page(
        after: place, limit: Self.pageRecords, bytes: Self.pageBytes)
      next = page.isLast ? nil : page
    } catch {
      problem = error.description
    }
    return next
  }

  /// The page was sent.
  func advance() {
    if let next { place = next.end }
    next = nil
  }
}
