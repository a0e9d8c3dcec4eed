internal import LenientJSON

/// Takes a person out of a history: `history forget`.
///
/// The job stands in `notes.db`. Each day file is copied without the person, forced to the disk and renamed; an
/// interrupted job goes on with the file at which it stopped.
package struct HistoryForget: Sendable {
  /// A person as the records know them.
  package struct Person: Hashable, Sendable {
    /// One, or none for somebody who has only names.
    package var ids: [String]
    /// Every name ever seen for the id.
    package var names: [String]
    /// Names that are found only where they are a whole string, because they are too short.
    package var shortNames: [String]
    /// Names that others have too, with the ids of these.
    package var sharedNames: [String: [String]]
  }

  /// What a day file holds of a person.
  package struct Day: Hashable, Sendable {
    package var name: String
    /// Rows of the person themselves.
    package var ownRows = 0
    /// Rows that name them.
    package var rows = 0
    package var documents = 0
    package var links = 0
    /// Words of the index, and bytes outside of any record: nothing the counts above explain.
    package var traces = 0
    /// Records that arrived after the job began; only of the file that is being written.
    package var later = 0

    package var isClean: Bool { ownRows + rows + documents + links + traces == 0 }
  }

  /// What was done, and what is left.
  package struct Receipt: Hashable, Sendable {
    package var person: Person
    package var pseudonym: String
    package var files = 0
    package var tombstones = 0
    package var changedRows = 0
    package var changedDocuments = 0
    package var removedDocuments = 0
    package var changedNotes = 0
    /// Rows that could not be read, and are gone.
    package var lostRows = 0
    /// What a search found afterwards; empty if nothing.
    package var left: [Day] = []
    /// Files other than day files that still name the person.
    package var leftFiles: [String] = []
    /// Records of the person that arrived meanwhile.
    package var later = 0
    /// Bundles that were exported before: paths, as far as they were logged.
    package var exports: [String] = []
    /// Whether it continued an interrupted job.
    package var isContinued = false

    package var isClean: Bool { left.isEmpty && leftFiles.isEmpty }
  }

  /// A step of the work, for tests that end the process there.
  package enum Step: Hashable, Sendable {
    case begun, turnedOver, copied(String), renamed(String), marked(String), notes, checked
  }

  let folder: String
  private let nowMs: @Sendable () -> Int64
  /// Called at each step.
  package var reached: @Sendable (Step) -> Void = { _ in }

  /// - Parameter folder: the folder of a bot.
  package init(_ folder: String, nowMs: @escaping @Sendable () -> Int64) throws(HistoryError) {
    guard HistoryFiles.days(in: folder) != nil else {
      throw HistoryError(.missing, "there is no history in '\(folder)'")
    }
    self.folder = folder
    self.nowMs = nowMs
  }

  // MARK: who

  /// Finds a person by an id or by any name ever seen.
  ///
  /// - Parameter excepted: names that are not theirs alone, and stay.
  /// - Throws: `missing` if nothing names them, `refused` if a name belongs to several.
  package func person(
    _ text: String, except excepted: Set<String> = []
  ) throws(HistoryError) -> Person {
    var known = KnownIdentities()
    try learn(PersonMatcher(ids: [text], names: [text]), into: &known)
    let ids = known.sorts[text] != nil ? [text] : known.people(named: text)
    if ids.isEmpty, try !isSomewhere(PersonMatcher(ids: [], names: [text])) {
      throw HistoryError(.missing, "nothing in '\(folder)' names '\(text)'")
    }
    guard ids.count <= 1 else {
      throw HistoryError(
        .refused,
        "'\(text)' is a name of \(ids.count) people: \(ids.joined(separator: ", ")); give the id")
    }
    guard let id = ids.first else { return person([], [text], excepted, known) }
    // Every name of the id, whichever was asked for.
    if id != text { try learn(PersonMatcher(ids: [id], names: []), into: &known) }
    var names = known.names(of: id)
    if id != text { names.insert(text) }
    // Who else has one of these names.
    try learn(PersonMatcher(ids: [], names: names), into: &known)
    return person([id], names, excepted, known)
  }

  private func learn(
    _ matcher: PersonMatcher, into known: inout KnownIdentities
  ) throws(HistoryError) {
    var found = known
    try eachRecord(matcher) { name, json in
      json.withUnsafeBytes { bytes in
        if let name {
          found.learn(document: name, bytes)
        } else {
          found.learn(action: bytes)
          found.learnUser(of: bytes)
        }
      }
    }
    known = found
  }

  private func person(
    _ ids: [String], _ names: Set<String>, _ excepted: Set<String>, _ known: KnownIdentities
  ) -> Person {
    let names = names.subtracting(excepted)
    var shared: [String: [String]] = [:]
    for name in names {
      let others = known.people(named: name).filter { !ids.contains($0) }
      if !others.isEmpty { shared[name] = others }
    }
    return Person(
      ids: ids, names: names.sorted(),
      shortNames: PersonMatcher(ids: Set(ids), names: names).shortNames, sharedNames: shared)
  }

  private func isSomewhere(_ matcher: PersonMatcher) throws(HistoryError) -> Bool {
    let eraser = PersonEraser(person: matcher, pseudonym: "")
    var isFound = false
    try eachRecord(matcher) { _, json in isFound = isFound || eraser.document(json) != nil }
    return isFound
  }

  /// Calls back with each row and document that may name the person, and with the name of the document.
  private func eachRecord(
    _ matcher: PersonMatcher, _ take: (String?, [UInt8]) -> Void
  ) throws(HistoryError) {
    func consider(_ name: String?, _ json: [UInt8]) {
      if json.withUnsafeBytes({ matcher.mayBeIn($0) }) { take(name, json) }
    }
    for path in try ReaderPool(folder).files() {
      let history = try HistoryFolder(path, checks: false)
      try history.eachRow { consider(nil, $0.json) }
      _ = try history.pool.with(path) { reader throws(DatabaseFailure) in
        for later in try reader.later(0...Int64.max).values {
          if let json = later.json { consider(nil, json) }
        }
        try reader.documents(after: .min, through: .max) { consider($0.name, $0.body) }
      }
    }
  }

  // MARK: the dry run and the check

  /// Counts what the day files hold of a person, without changing anything.
  package func plan(_ person: Person) throws(HistoryError) -> [Day] {
    try check(eraser(person, ""), sinceMs: .max)
  }

  private func eraser(_ person: Person, _ pseudonym: String) -> PersonEraser {
    PersonEraser(
      person: PersonMatcher(ids: Set(person.ids), names: Set(person.names)), pseudonym: pseudonym)
  }

  /// What the day files hold of a person, those that hold nothing left out.
  ///
  /// - Parameter sinceMs: records that arrived later are counted apart.
  private func check(_ eraser: PersonEraser, sinceMs: Int64) throws(HistoryError) -> [Day] {
    var days: [Day] = []
    for path in try ReaderPool(folder).files() {
      let day = try ForgetCheck(eraser, sinceMs: sinceMs).check(path)
      if !day.isClean || day.later > 0 { days.append(day) }
    }
    return days
  }

  // MARK: the work

  /// The unfinished jobs, by their pseudonyms.
  package func unfinished() throws(HistoryError) -> [String] {
    guard HistoryFiles.identity(folder + "/" + HistoryNotes.fileName) != nil else { return [] }
    return try ForgetJobs(folder).all().filter { !$0.isDone }.map(\.pseudonym)
  }

  /// Continues the unfinished jobs.
  package func resume() throws(HistoryError) -> [Receipt] {
    guard HistoryFiles.identity(folder + "/" + HistoryNotes.fileName) != nil else { return [] }
    let jobs = try ForgetJobs(folder)
    var receipts: [Receipt] = []
    for job in try jobs.all() where !job.isDone {
      let matcher = PersonMatcher(ids: Set(job.ids), names: Set(job.names))
      let person = Person(
        ids: job.ids, names: job.names, shortNames: matcher.shortNames, sharedNames: [:])
      receipts.append(try run(job, person, jobs, isContinued: true))
    }
    return receipts
  }

  /// Takes the person out of all files, and looks whether anything is left.
  package func forget(_ person: Person) throws(HistoryError) -> Receipt {
    let jobs = try ForgetJobs(folder)
    let known = try jobs.all()
    if let open = known.first(where: {
      !$0.isDone && $0.ids == person.ids && $0.names == person.names
    }) {
      return try run(open, person, jobs, isContinued: true)
    }
    var pseudonym: String
    repeat {
      // Not derived from the id: that could be found out by trying.
      let digits = String(UInt16.random(in: 0x1000...UInt16.max), radix: 16)
      pseudonym = "person-" + digits
    } while known.contains { $0.pseudonym == pseudonym }
    let job = try jobs.add(
      pseudonym: pseudonym, ids: person.ids, names: person.names, nowMs: nowMs())
    return try run(job, person, jobs, isContinued: false)
  }

  private func run(
    _ job: ForgetJobs.Job, _ person: Person, _ jobs: ForgetJobs, isContinued: Bool
  ) throws(HistoryError) -> Receipt {
    reached(.begun)
    let eraser = eraser(person, job.pseudonym)
    var days = try jobs.days(of: job)
    if days.isEmpty {
      try Turnover.request(folder)
      days = try finishedDays()
      try jobs.set(days, of: job)
    }
    reached(.turnedOver)
    for day in days where day.state != .done { try rewrite(day, eraser, jobs, job) }
    var receipt = Receipt(person: person, pseudonym: job.pseudonym)
    receipt.isContinued = isContinued
    receipt.changedNotes = try jobs.eraseNotes(eraser)
    reached(.notes)
    for day in try jobs.days(of: job) {
      receipt.files += 1
      receipt.tombstones += day.tombstones
      receipt.changedRows += day.changedRows
      receipt.changedDocuments += day.changedDocuments
      receipt.removedDocuments += day.removedDocuments
      receipt.lostRows += day.lostRows
    }
    let found = try check(eraser, sinceMs: job.begunMs)
    receipt.left = found.filter { !$0.isClean }
    receipt.later = found.reduce(0) { $0 + $1.later }
    reached(.checked)
    // The names stand in the job until nothing else has them.
    if receipt.left.isEmpty { try jobs.finish(job, nowMs: nowMs()) }
    receipt.leftFiles = ForgetCheck(eraser, sinceMs: job.begunMs).otherFiles(of: folder)
    receipt.exports = try HistoryNotes.exports(in: folder)
    return receipt
  }

  /// The files that no recorder writes.
  private func finishedDays() throws(HistoryError) -> [ForgetJobs.Day] {
    let pool = ReaderPool(folder)
    var days: [ForgetJobs.Day] = []
    for path in try pool.files() {
      let isFinished = try pool.with(path) { reader throws(DatabaseFailure) in
        try reader.database.number("SELECT value FROM meta WHERE key = 'finished'") != nil
      }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      // A file that cannot be read is copied as far as it can.
      if isFinished ?? true { days.append(ForgetJobs.Day(name: name)) }
    }
    return days
  }

  private func rewrite(
    _ day: ForgetJobs.Day, _ eraser: PersonEraser, _ jobs: ForgetJobs, _ job: ForgetJobs.Job
  ) throws(HistoryError) {
    var day = day
    let place = DayReplacement(folder: folder, name: day.name)
    if day.state == .waiting {
      place.clear()
      guard HistoryFiles.identity(place.path) != nil else {
        // Retention removed it meanwhile.
        day.state = .done
        return try jobs.set([day], of: job)
      }
      try HistoryFiles.secure(place.newPath)
      let report = try copy(place, eraser)
      day.state = .copied
      day.tombstones = report.tombstones
      day.changedRows = report.changedRows
      day.changedDocuments = report.changedDocuments
      day.removedDocuments = report.removedDocuments
      day.lostRows = report.lostRows
      try place.synchronize()
      try jobs.set([day], of: job)
      reached(.copied(day.name))
    }
    // Without a new file it was renamed before the interruption.
    if place.hasNew { _ = try place.commit() }
    reached(.renamed(day.name))
    day.state = .done
    try jobs.set([day], of: job)
    reached(.marked(day.name))
  }

  private func copy(
    _ place: DayReplacement, _ eraser: PersonEraser
  ) throws(HistoryError) -> DayCopy.Report {
    let pool = ReaderPool(place.path)
    var failure: DatabaseFailure?
    let report = try pool.with(place.path) { reader throws(DatabaseFailure) -> DayCopy.Report? in
      do throws(DatabaseFailure) {
        let copy = try DayCopy(reader, to: place.newPath)
        copy.eraser = eraser
        try copy.run()
        return copy.report
      } catch {
        failure = error
        return nil
      }
    }
    if let report = report ?? nil { return report }
    place.clear()
    let why = failure?.words(place.newPath) ?? pool.damage.damage.files[place.path] ?? "unreadable"
    throw HistoryError(
      .damaged, "'\(place.path)' cannot be rewritten (\(why)); `history repair` it or remove it")
  }
}

extension KnownIdentities {
  /// Keys of the details that name the user of the row, where they have no id for that name.
  private static let ownKeys = ["displayName", "userName", "username", "authorName", "actorName"]

  /// Learns who the user of a row is: rows give the id once, and the name in their details.
  fileprivate mutating func learnUser(of action: UnsafeRawBufferPointer) {
    guard let row = try? JSONValue.parse(action),
      let user = (row["userId"] ?? row["user_id"])?.string, let details = row["metadata"]?.object
    else { return }
    learn(user, .person)
    for key in Self.ownKeys {
      let isOther = details.members.contains { member in
        RecordedField.namesBeside[member.key]?.contains(key) == true
          && member.value.string?.isEmpty == false
      }
      if !isOther, let name = details[key]?.string { learn(user, .person, name: name) }
    }
  }

  /// The people that ever had a name, without regard to case and accents.
  fileprivate func people(named name: String) -> [String] {
    let words = HistoryWords.split(name)
    return namesByID.filter { id, names in
      sorts[id] == .person || sorts[id] == .bot
        ? names.contains { $0 == name || !words.isEmpty && HistoryWords.split($0) == words } : false
    }.keys.sorted()
  }
}

extension HistoryFolder {
  /// Calls back with each row of one file, in the order of arrival.
  func eachRow(_ take: (RecordedRow) -> Void) throws(HistoryError) {
    var seq = Int64.min
    while true {
      let keys = try pool.with(path) { reader throws(DatabaseFailure) in
        try reader.keys("WHERE seq > ? ORDER BY seq LIMIT 2000", [seq])
      }
      guard let keys, let last = keys.last else { return }
      for row in try load(keys.map { Found(key: $0, file: 0) }) { take(row) }
      seq = last.seq
    }
  }
}
