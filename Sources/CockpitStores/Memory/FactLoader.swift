internal import Networking
internal import ClankyWire

/// Fetches the facts of one guild as far as the backend lists them, request by request.
///
/// A request returns 500 facts at most and cannot be continued (contract 3.2), but it can be
/// narrowed: subjects with missing facts are requested one by one, and subjects with more than 500
/// facts letter by letter, as long as that yields more. A value without I/O: it says which requests
/// are next and receives the answers.
struct FactLoader {
  enum Step: Hashable, Sendable {
    case subjects
    case newest
    case subject(String)
    /// The facts of a subject that hold a letter.
    case letter(String, of: String)
  }

  /// Most requests that are spent on the letters of one subject: our choice. The first few bring
  /// nearly everything, unless there are many thousand facts.
  static let letterLimit = 24

  let guild: String
  private(set) var coverage = FactCoverage()
  private(set) var subjects: [Subject]?
  /// The ids of all facts that were listed.
  private(set) var listed: Set<Int> = []
  private var waiting: [Step] = [.subjects, .newest]
  private var underWay: Set<Step> = []
  /// Number of fetched facts by subject.
  private var have: [String: Int] = [:]
  private var counted: [String: Int] = [:]
  private var newestIsFull = false
  private var subjectsAreFull = false
  private var hasPlanned = false
  private var requested: Set<String> = []
  /// Subjects with more facts than one request brings.
  private var full: Set<String> = []

  init(guild: String) {
    self.guild = guild
    coverage.isLoading = true
  }

  var isDone: Bool { waiting.isEmpty && underWay.isEmpty && hasPlanned }

  /// Subjects of which not everything was listed.
  var cutSubjects: Set<String> { Set(coverage.cut.map(\.subject)) }

  /// Whether unlisted facts are gone, except for `cutSubjects`. An unreadable row could be any
  /// fact.
  var isConclusive: Bool {
    isDone && coverage.failure == nil && coverage.unreadable == 0
      && (!newestIsFull || !subjectsAreFull)
  }

  mutating func next() -> Step? {
    guard !waiting.isEmpty else { return nil }
    let step = waiting.removeFirst()
    underWay.insert(step)
    return step
  }

  func request(_ step: Step) -> RestRequest {
    switch step {
    case .subjects: .subjects(guild: guild)
    case .newest: .facts(guild: guild)
    case .subject(let subject): .facts(guild: guild, subject: subject)
    case .letter(let letter, let subject): .facts(guild: guild, subject: subject, text: letter)
    }
  }

  mutating func take(_ page: SubjectPage) {
    subjects = page.subjects
    subjectsAreFull = page.subjects.count + page.omitted >= RestRequest.factLimit
    for subject in page.subjects {
      // One subject has a row for each scope.
      guard let name = subject.subject else { continue }
      counted[name, default: 0].addSaturating(max(0, subject.factCount ?? 0))
    }
    coverage.expected = page.factCount
    end(.subjects)
  }

  mutating func take(_ page: FactPage, of step: Step) {
    for fact in page.facts {
      guard let id = fact.id, listed.insert(id).inserted else { continue }
      have[fact.subject ?? "", default: 0] += 1
    }
    coverage.loaded = listed.count
    // The same row may be on several pages.
    coverage.unreadable = max(coverage.unreadable, page.unreadable)
    let isFull = page.facts.count + page.omitted >= RestRequest.factLimit
    switch step {
    case .newest: newestIsFull = isFull
    case .subject(let subject):
      if isFull {
        full.insert(subject)
        if isShort(subject) {
          waiting += letters(page.facts, subject).map { .letter($0, of: subject) }
        }
      } else {
        // Unlisted facts do not exist, whatever was counted before.
        counted[subject] = have[subject] ?? 0
      }
    case .letter(_, let subject):
      guard !isShort(subject) else { break }
      waiting.removeAll { if case .letter(_, of: subject) = $0 { true } else { false } }
    case .subjects: break
    }
    end(step)
  }

  private func isShort(_ subject: String) -> Bool {
    counted[subject].map { $0 > have[subject] ?? 0 } ?? true
  }

  /// Letters and digits to search a subject with, so that each should fit into one answer, judging
  /// by the known facts; the most frequent ones first, since they yield most. Characters that no
  /// known fact contains come last.
  private func letters(_ facts: [Fact], _ subject: String) -> [String] {
    var counts = Dictionary(
      uniqueKeysWithValues: "abcdefghijklmnopqrstuvwxyz0123456789".map { ($0, 0) })
    for fact in facts {
      for letter in Set((fact.fact ?? "").lowercased()) where letter.isLetter || letter.isNumber {
        counts[letter, default: 0] += 1
      }
    }
    let growth = Double(counted[subject] ?? 2 * facts.count) / Double(max(1, facts.count))
    let fitting = counts.filter { Double($0.value) * growth <= 0.9 * Double(RestRequest.factLimit) }
    return fitting.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
      .prefix(Self.letterLimit).map { String($0.key) }
  }

  /// The rest of this step stays missing.
  mutating func fail(_ step: Step, _ failure: RequestFailure) {
    coverage.failure = failure
    // Without a connection the others would fail the same way.
    waiting = []
    hasPlanned = true
    end(step)
  }

  private mutating func end(_ step: Step) {
    underWay.remove(step)
    plan()
    guard isDone else { return }
    coverage.isLoading = false
    coverage.cut = full.compactMap { subject in
      let (here, there) = (have[subject] ?? 0, counted[subject] ?? 0)
      // Exactly 500 may be all of them.
      return here >= there && counted[subject] != nil
        ? nil : FactCoverage.Cut(subject: subject, loaded: here, counted: max(here, there))
    }.sorted { $0.subject < $1.subject }
    if coverage.failure == nil {
      if !subjectsAreFull { coverage.expected = counted.values.reduce(0) { $0.saturating($1) } }
      coverage.isComplete =
        coverage.cut.isEmpty && coverage.unreadable == 0 && (!newestIsFull || !subjectsAreFull)
      if coverage.isComplete { coverage.expected = coverage.loaded }
    }
  }

  /// Once the newest facts and the subjects are known, requests what they do not cover.
  private mutating func plan() {
    guard !hasPlanned, !underWay.contains(.subjects), !underWay.contains(.newest), waiting.isEmpty
    else { return }
    hasPlanned = true
    guard newestIsFull else {
      // One page holds everything; the subject counts can only be older.
      counted = have
      subjectsAreFull = false
      return
    }
    var names = subjects?.compactMap(\.subject) ?? []
    // The list of subjects ends at 500 too; facts name some that are not on it.
    if subjectsAreFull { names += have.keys.filter { !$0.isEmpty }.sorted() }
    for name in names where requested.insert(name).inserted {
      if isShort(name) { waiting.append(.subject(name)) }
    }
  }
}

extension Int {
  fileprivate func saturating(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  fileprivate mutating func addSaturating(_ other: Int) { self = saturating(other) }
}
