/// How far a sink has sent ids that became known later, and findings of rules.
extension HistoryNotes {
  package struct SidePlaces: Hashable, Sendable {
    /// The number of the last row before the first that the sink has sent: ids of earlier rows are not sent.
    package var beginSeq: Int64
    /// The last learned id of each file that was sent, by the name of the file.
    package var files: [String: Int64]
    /// The last finding that was sent.
    package var finding: Int64 = 0
    /// Findings that begin before it are not sent; in ms since 1970.
    package var sinceMs: Int64 = 0

    package init(beginSeq: Int64 = 0, files: [String: Int64] = [:]) {
      self.beginSeq = beginSeq
      self.files = files
    }
  }

  /// Keys other than file names, which end in `.db`.
  private static let numbers: [(String, any WritableKeyPath<SidePlaces, Int64> & Sendable)] = [
    ("begin", \.beginSeq), ("finding", \.finding), ("since", \.sinceMs),
  ]

  /// What is kept for a sink; nil if nothing is.
  package static func sidePlaces(
    of sink: String, in folder: String
  ) throws(HistoryError) -> SidePlaces? {
    let found = try read(folder) {
      file throws(DatabaseFailure) -> [(name: String, place: Int64)] in
      guard try hasTable("sink_side", file) else { return [] }
      let rows = try file.statement("SELECT what, place FROM sink_side WHERE name = ?")
      rows.bind(sink, at: 1)
      defer { rows.reset() }
      var found: [(name: String, place: Int64)] = []
      while try rows.step() { found.append((rows.text(0), rows.int(1))) }
      return found
    }
    guard !found.isEmpty else { return nil }
    var places = SidePlaces()
    for (name, place) in found {
      if let path = numbers.first(where: { $0.0 == name })?.1 {
        places[keyPath: path] = place
      } else {
        places.files[name] = place
      }
    }
    return places
  }

  static func keep(
    _ places: SidePlaces, of sink: String, _ file: Database
  ) throws(DatabaseFailure) {
    try dropSidePlaces(of: sink, file)
    let insert = try file.statement("INSERT INTO sink_side VALUES (?, ?, ?)")
    let own = numbers.map { ($0.0, places[keyPath: $0.1]) }
    for (name, place) in own + places.files.sorted(by: { $0.key < $1.key }) {
      insert.bind(sink, at: 1)
      insert.bind(name, at: 2)
      insert.bind(place, at: 3)
      try insert.run()
    }
  }

  static func dropSidePlaces(of sink: String, _ file: Database) throws(DatabaseFailure) {
    let drop = try file.statement("DELETE FROM sink_side WHERE name = ?")
    drop.bind(sink, at: 1)
    try drop.run()
  }
}
