internal import CockpitDomain

/// Documents and link records.
extension DayCopy {
  func copyDocuments() throws(DatabaseFailure) {
    let before = reader.damage.damage.records
    var failure: DatabaseFailure?
    // The last of each name before a stretch that is kept belongs to its beginning.
    var waiting: [String: RecordedDocument] = [:]
    func add(_ document: RecordedDocument) {
      guard failure == nil else { return }
      var document = document
      if let eraser {
        if eraser.text(document.name) != nil {
          report.removedDocuments += 1
          return
        }
        if let body = eraser.document(document.body) {
          document.body = body
          report.changedDocuments += 1
        }
      }
      do throws(DatabaseFailure) {
        try tables.add(document)
        report.documents += 1
      } catch {
        failure = error
      }
    }
    do throws(DatabaseFailure) {
      try reader.documents(after: .min, through: .max) { document in
        guard let kept else { return add(document) }
        if kept.contains(where: { $0.contains(document.atMs) }) {
          for (_, earlier) in waiting.sorted(by: { $0.value.atMs < $1.value.atMs }) { add(earlier) }
          waiting = [:]
          add(document)
        } else {
          waiting[document.name] = document
        }
      }
    } catch {
      guard error.isDamage else { throw error }
      report.isDamaged = true
    }
    if let failure { throw failure }
    if let kept {
      for (_, document) in waiting.sorted(by: { $0.value.atMs < $1.value.atMs })
      where kept.contains(where: { $0.lowerBound >= document.atMs }) {
        add(document)
      }
    }
    report.lostDocuments = reader.damage.damage.records - before
  }

  /// Says what is not there any more.
  private func noteRemoved(after seq: Int64) throws(DatabaseFailure) {
    guard let kept, report.leftRows > 0, let span = try reader.span() else { return }
    var fromMs = span.lowerBound
    func note(_ toMs: Int64) throws(DatabaseFailure) {
      guard toMs > fromMs else { return }
      let outage = RecordedOutage(fromMs: fromMs, toMs: toMs, reason: .removed)
      try tables.add(
        RecordedLink(
          seq: seq, atMs: toMs, receivedMs: toMs, what: .outage, value: outage.value))
    }
    for range in kept where range.upperBound >= fromMs && range.lowerBound <= span.upperBound {
      try note(range.lowerBound)
      fromMs = max(fromMs, range.upperBound)
    }
    try note(span.upperBound)
  }

  func copyLinks() throws(DatabaseFailure) {
    let before = reader.damage.damage.records
    var links: [RecordedLink] = []
    do throws(DatabaseFailure) {
      links = try reader.links("ORDER BY id", [])
    } catch {
      guard error.isDamage else { throw error }
      report.isDamaged = true
    }
    report.lostLinks = reader.damage.damage.records - before
    for link in links {
      var link = link
      if let new = eraser?.document(link.value) {
        link.value = new
        report.changedLinks += 1
      }
      try tables.add(link)
      report.links += 1
    }
    try noteRemoved(after: links.last?.seq ?? 0)
    guard report.lostRows > 0, let fromMs = report.lostFromMs, let toMs = report.lostToMs else {
      return
    }
    // What is missing is said where it is missed.
    let outage = RecordedOutage(
      fromMs: fromMs, toMs: max(fromMs, toMs), reason: .damaged, rows: report.lostRows)
    try tables.add(
      RecordedLink(
        seq: links.last?.seq ?? 0, atMs: outage.toMs, receivedMs: outage.toMs, what: .outage,
        value: outage.value))
  }
}
