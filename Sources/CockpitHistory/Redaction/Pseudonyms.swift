/// Random pseudonyms: the same identity has the same one in a whole export.
///
/// The table of who is who lives in memory only. That is what a keyed hash gives whose key is thrown away, and there
/// is no key to find out.
package struct Pseudonyms {
  private var numbers: [String: Int] = [:]
  private var taken: Set<Int> = []
  private var longNumbers: [String: String] = [:]
  private var takenLong: Set<String> = []
  private var random: any RandomNumberGenerator
  private let known: KnownIdentities
  /// Instead of random numbers: a number for each identity, always the same.
  private let keyed: (@Sendable (String) -> UInt64)?
  /// The id that a name belongs to, if it is one only. By folded names.
  private let owners: [String: String]

  /// - Parameters:
  ///   - random: the system's, or one with a seed, for files that are made again.
  ///   - keyed: the number of an identity, for pseudonyms that outlive the run: a keyed hash.
  package init(
    _ known: KnownIdentities, random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
    keyed: (@Sendable (String) -> UInt64)? = nil
  ) {
    self.known = known
    self.random = random
    self.keyed = keyed
    var owners: [String: Set<String>] = [:]
    for (id, names) in known.namesByID {
      for name in names { owners[FoldedText.key(name), default: []].insert(id) }
    }
    self.owners = owners.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// `person-48213`: for a name, or for an id that stands where a name is.
  package mutating func name(_ name: String, _ sort: KnownIdentities.Sort) -> String {
    if let id = owners[FoldedText.key(name)] { return word(id, known.sorts[id] ?? sort) }
    return word(FoldedText.key(name), sort)
  }

  /// The name of an owner by the id.
  package mutating func word(_ identity: String, _ sort: KnownIdentities.Sort) -> String {
    "\(sort.rawValue)-\(number(identity, sort))"
  }

  /// An id with the shape of the former one: 18 digits, of which the last five are those of the name.
  package mutating func id(_ id: String, _ sort: KnownIdentities.Sort) -> String {
    guard id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return word(id, sort) }
    if keyed != nil { return keyedID(id, known.sorts[id] ?? sort) }
    switch known.sorts[id] ?? sort {
    case .person: return "9000000000000\(number(id, .person))"
    case .bot: return "9100000000000\(number(id, .bot))"
    case .guild: return "9200000000000\(number(id, .guild))"
    case .channel: return "9300000000000\(number(id, .channel))"
    case .message, .host: return longNumber(id)
    }
  }

  /// 18 digits: two for the sort, and the number of the name.
  private mutating func keyedID(_ id: String, _ sort: KnownIdentities.Sort) -> String {
    let first =
      switch sort {
      case .person: "90"
      case .bot: "91"
      case .guild: "92"
      case .channel: "93"
      case .message, .host: "94"
      }
    let digits = String(number(id, sort))
    return first + String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
  }

  private mutating func number(_ identity: String, _ sort: KnownIdentities.Sort) -> Int {
    if let keyed { return Int(keyed("\(sort.rawValue) \(identity)") % 1_000_000_000_000) }
    let key = "\(sort.rawValue) \(identity)"
    if let number = numbers[key] { return number }
    var number = 0
    // With ten thousands of identities five digits are too few.
    let limit = taken.count < 40_000 ? 99_999 : 999_999_999
    repeat {
      number = Int.random(in: 10_000...limit, using: &random)
    } while !taken.insert(number).inserted
    numbers[key] = number
    return number
  }

  private mutating func longNumber(_ id: String) -> String {
    if let number = longNumbers[id] { return number }
    var number = ""
    repeat {
      number = "94\(Int.random(in: 1_000_000_000_000_000...9_999_999_999_999_999, using: &random))"
    } while !takenLong.insert(number).inserted
    longNumbers[id] = number
    return number
  }

  /// The identities that have a pseudonym so far, by their sort.
  package var counts: [KnownIdentities.Sort: Int] {
    var counts: [KnownIdentities.Sort: Int] = [:]
    for key in numbers.keys {
      let word = key.prefix { $0 != " " }
      if let sort = KnownIdentities.Sort(rawValue: String(word)) { counts[sort, default: 0] += 1 }
    }
    if !longNumbers.isEmpty { counts[.message] = longNumbers.count }
    return counts
  }
}
