/// Recovers what can be read of damaged day files into new ones: `history repair`.
package enum HistoryRepair {
  /// What became of one file.
  package struct Result: Hashable, Sendable {
    package var name: String
    /// What is in the new file.
    package var rows = 0
    package var documents = 0
    package var links = 0
    /// What could not be read.
    package var lostRows = 0
    package var lostDocuments = 0
    package var lostLinks = 0
    /// Whether pages could not be read: records in them may be lost that nothing counts.
    package var hasUnreadPages = false
    /// When the lost rows arrived, in ms since 1970; nil if unknown.
    package var lostFromMs: Int64?
    package var lostToMs: Int64?
    /// The name of the old file; nil in a trial, or if the file was left alone.
    package var keptAs: String?
    /// Why the file was left alone.
    package var problem: String?
  }

  /// Repairs the files that are damaged, or would be if it is a trial. A recorder that writes one of them begins the
  /// next part of the day.
  ///
  /// - Parameters:
  ///   - suffix: of the names of the old files, such as `20261124T2200`.
  ///   - nowMs: the time of the records about what was lost.
  package static func repair(
    _ folder: String, suffix: String, isTrial: Bool
  ) throws(HistoryError) -> [Result] {
    guard HistoryFiles.days(in: folder) != nil else {
      throw HistoryError(.missing, "there is no history in '\(folder)'")
    }
    let damaged = try HistoryUpkeep.verify(folder).filter { !$0.isSound }
    guard !damaged.isEmpty else { return [] }
    if !isTrial { try Turnover.request(folder) }
    var results: [Result] = []
    for finding in damaged {
      results.append(
        try repair(
          DayReplacement(folder: folder, name: finding.name), finding, suffix, isTrial: isTrial))
    }
    return results
  }

  private static func repair(
    _ place: DayReplacement, _ finding: HistoryUpkeep.Finding, _ suffix: String, isTrial: Bool
  ) throws(HistoryError) -> Result {
    var result = Result(name: finding.name)
    guard HistoryFiles.identity(place.path) != nil else {
      result.problem = "it is gone"
      return result
    }
    if let problem = finding.problem, problem.contains("newer version") {
      result.problem = problem
      return result
    }
    place.clear()
    try HistoryFiles.secure(place.newPath)
    defer { place.clear() }
    let pool = ReaderPool(place.path)
    var failure: DatabaseFailure?
    let copied = try pool.with(place.path) { reader throws(DatabaseFailure) -> DayCopy.Report? in
      do throws(DatabaseFailure) {
        let copy = try DayCopy(reader, to: place.newPath)
        try copy.run()
        return copy.report
      } catch {
        failure = error
        return nil
      }
    }
    guard let report = copied ?? nil else {
      if let failure, failure.isFull { throw HistoryError(.disk, failure.words(place.newPath)) }
      result.problem =
        "nothing of it can be read: "
        + (failure?.message ?? pool.damage.damage.files[place.path] ?? "unknown")
      return result
    }
    result.rows = report.rows
    result.documents = report.documents
    result.links = report.links
    result.lostRows = report.lostRows
    result.lostDocuments = report.lostDocuments
    result.lostLinks = report.lostLinks
    result.hasUnreadPages =
      report.isDamaged || pool.damage.damage.files[place.path] != nil
    result.lostFromMs = report.lostFromMs
    result.lostToMs = report.lostToMs
    guard !isTrial else { return result }
    let old = finding.name + ".broken-" + suffix
    try place.synchronize()
    if try place.commit(keepingOldAs: old) { result.keptAs = old }
    return result
  }
}
