/// Finds questions by the concepts of the typed words.
///
/// Words may be misspelled or unfinished. Unknown words lower the score slightly, unless the
/// question expects a name.
package struct QuestionMatcher: Sendable {
  /// A typed word and its possible concepts, each with a certainty from 0 to 1.
  private struct Word: Hashable {
    var text: String
    var concepts: [QuestionConcept: Double]
  }

  private let words: [Word]

  /// Maximum number of words considered.
  private static let wordLimit = 24

  package init(_ text: String) {
    let letters = text.lowercased().filter { $0 != "'" && $0 != "\u{2019}" }
    words = letters.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.prefix(Self.wordLimit)
      .map { String($0.prefix(40)) }
      .filter { !QuestionConcept.fillers.contains($0) }
      .map { Word(text: $0, concepts: Self.concepts(of: $0)) }
  }

  /// The match score of a question, which grows with the typed text; nil if it does not match.
  package func score(_ question: Question) -> Int? {
    var score = 0.0
    var found: Set<QuestionConcept> = []
    for word in words {
      let best = word.concepts.compactMap { concept, sureness -> (QuestionConcept, Double)? in
        question.concepts[concept].map { (concept, $0 * sureness) }
      }.max { ($0.1, $1.0.rawValue) < ($1.1, $0.0.rawValue) }
      if let (concept, value) = best {
        // The same said twice says little more.
        score += found.insert(concept).inserted ? value : 0.2 * value
      } else if !(question.takesName && word.concepts.isEmpty) {
        score -= 0.4
      }
    }
    guard score >= 1, !found.isEmpty else { return nil }
    let all = question.concepts.values.reduce(0, +)
    let covered = found.reduce(0) { $0 + (question.concepts[$1] ?? 0) }
    return Int(score * (0.6 + 0.4 * covered / all) * 60)
  }

  // MARK: Words

  private static let table: [String: [QuestionConcept]] = {
    var table: [String: [QuestionConcept]] = [:]
    for concept in QuestionConcept.allCases {
      for word in concept.words { table[word, default: []].append(concept) }
    }
    return table
  }()

  private static func concepts(of word: String) -> [QuestionConcept: Double] {
    for (index, form) in ([word] + stems(word)).enumerated() {
      guard let concepts = table[form] else { continue }
      return Dictionary(uniqueKeysWithValues: concepts.map { ($0, index == 0 ? 1 : 0.95) })
    }
    guard word.count >= 3 else { return [:] }
    var found: [QuestionConcept: Double] = [:]
    for (known, concepts) in table where known.count >= 3 {
      let sureness =
        known.hasPrefix(word) ? 0.8 : isMisspelled(word, known) ? 0.7 : 0
      guard sureness > 0 else { continue }
      for concept in concepts { found[concept] = max(found[concept] ?? 0, sureness) }
    }
    return found
  }

  /// The word without common verb and plural endings, doubled letters included.
  private static func stems(_ word: String) -> [String] {
    ["ing", "ped", "ed", "es", "s"]
      .filter { word.count > $0.count + 2 && word.hasSuffix($0) }
      .map { String(word.dropLast($0.count)) }
  }

  /// Whether one is the other with a typo or two.
  private static func isMisspelled(_ word: String, _ known: String) -> Bool {
    let length = min(word.count, known.count)
    guard length >= 4, abs(word.count - known.count) <= 2, word.first == known.first else {
      return false
    }
    return distance(Array(word), Array(known)) <= (length >= 7 ? 2 : 1)
  }

  /// Edits between two words; two letters that changed places are one.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, before[j - 1] + 1)
        }
        row.append(cost)
      }
      before = last
      last = row
    }
    return last[right.count]
  }
}
