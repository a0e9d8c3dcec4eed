/// How far a sink has sent the ids that became known after their rows were sent.
extension HistoryNotes {
  package struct LearnedPlaces: Hashable, Sendable {
    /// The number of the last row before the first that the sink has sent: ids of earlier rows are not sent.
    package var beginSeq: Int64
    /// The last entry of each file that was sent, by the name of the file.
    package var files: [String: Int64]

    package init(beginSeq: Int64 = 0, files: [String: Int64] = [:]) {
      self.beginSeq = beginSeq
      self.files = files
    }
  }

  /// What is kept for a sink; nil if nothing is.
  package static func learnedPlaces(
    of sink: String, in folder: String
  ) throws(HistoryError) -> LearnedPlaces? {
    let found = try read(folder) { file throws(DatabaseFailure) -> [(file: String, place: Int64)] in
      guard try hasTable("sink_learned", file) else { return [] }
      let rows = try file.statement("SELECT file, place FROM sink_learned WHERE name = ?")
      rows.bind(sink, at: 1)
      defer { rows.reset() }
      var found: [(file: String, place: Int64)] = []
      while try rows.step() { found.append((rows.text(0), rows.int(1))) }
      return found
    }
    guard !found.isEmpty else { return nil }
    var places = LearnedPlaces()
    for (name, place) in found {
      if name.isEmpty { places.beginSeq = place } else { places.files[name] = place }
    }
    return places
  }

  static func keep(
    _ places: LearnedPlaces, of sink: String, _ file: Database
  ) throws(DatabaseFailure) {
    try dropLearned(of: sink, file)
    let insert = try file.statement("INSERT INTO sink_learned VALUES (?, ?, ?)")
    let all = places.files.merging(["": places.beginSeq]) { _, begin in begin }
    for (name, place) in all.sorted(by: { $0.key < $1.key }) {
      insert.bind(sink, at: 1)
      insert.bind(name, at: 2)
      insert.bind(place, at: 3)
      try insert.run()
    }
  }

  static func dropLearned(of sink: String, _ file: Database) throws(DatabaseFailure) {
    let drop = try file.statement("DELETE FROM sink_learned WHERE name = ?")
    drop.bind(sink, at: 1)
    try drop.run()
  }
}
