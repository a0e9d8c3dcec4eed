internal import LenientJSON

/// What is left out of an export.
package enum RedactionLevel: String, Hashable, Sendable, CaseIterable {
  /// Ids and names of people, guilds, channels and hosts become pseudonyms; prompts go, unless asked for.
  case people
  /// All content goes too: only its length stays.
  case words
  /// Nothing goes.
  case none
}

/// What was replaced or left out, for the manifest and the preview.
package struct RedactionCounts: Hashable, Sendable {
  /// How often, by the name of the class: `names`, `ids`, `address`, `prompts` …
  package var replaced: [String: Int] = [:]
  /// Fields that are not on the list, and how often each was left out.
  package var unlisted: [String: Int] = [:]
  /// Some examples of each class.
  package var samples: [String: [Sample]] = [:]

  package struct Sample: Hashable, Sendable {
    package var before: String
    package var after: String
  }

  package init() {}

  mutating func note(_ what: String, _ before: String, _ after: String, limit: Int) {
    replaced[what, default: 0] += 1
    guard limit > 0, samples[what, default: []].count < limit else { return }
    let sample = Sample(before: String(before.prefix(80)), after: String(after.prefix(80)))
    if !samples[what, default: []].contains(sample) { samples[what, default: []].append(sample) }
  }
}

/// Removes from recorded JSON who and what it is about. Works on parsed JSON, and on its strings only: numbers, times,
/// kinds, reasons and costs stay as they are.
package struct Redactor {
  private let level: RedactionLevel
  private let keepsPrompts: Bool
  private let known: KnownIdentities
  private var pseudonyms: Pseudonyms
  private let matcher: NameMatcher
  /// By the index of the matcher: the name it belongs to, and its sort.
  private let owners: [(name: String, sort: KnownIdentities.Sort)]
  private let samples: Int
  package private(set) var counts = RedactionCounts()
  /// Names that cannot be told from words in texts: they are replaced in fields for names only.
  package let wordlikeNames: Set<String>

  /// - Parameters:
  ///   - keyed: for pseudonyms that stay the same (`Pseudonyms`).
  ///   - samples: how many examples of each class are kept.
  package init(
    _ level: RedactionLevel, keepsPrompts: Bool, known: KnownIdentities,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
    keyed: (@Sendable (String) -> UInt64)? = nil, samples: Int = 0
  ) {
    self.level = level
    self.keepsPrompts = keepsPrompts || level == .none
    self.known = known
    self.samples = samples
    pseudonyms = Pseudonyms(known, random: random, keyed: keyed)
    let list = NameList(known)
    matcher = NameMatcher(list.entries.map(\.text))
    // The matcher leaves out repetitions.
    var owners: [String: (String, KnownIdentities.Sort)] = [:]
    for entry in list.entries where owners[FoldedText.key(entry.text)] == nil {
      owners[FoldedText.key(entry.text)] = (entry.name, entry.sort)
    }
    self.owners = matcher.names.map { owners[FoldedText.key($0)] ?? ($0, .person) }
    wordlikeNames = list.wordlike
  }

  package var identities: [KnownIdentities.Sort: Int] { pseudonyms.counts }

  // MARK: records

  /// The JSON of an action; nil if it cannot be read.
  package mutating func action(_ bytes: [UInt8]) -> [UInt8]? {
    if level == .none { return bytes }
    guard let json = bytes.withUnsafeBytes({ try? JSONValue.parse($0) }),
      case .object(var object) = json
    else { return nil }
    for index in object.members.indices {
      let member = object.members[index]
      if member.key == "content", let text = member.value.string {
        object.members[index].value = .string(content(text, kind: object["kind"]?.string ?? ""))
      } else {
        object.members[index] = redacted(member, in: object, place: .other, isPrompt: false)
      }
    }
    return Array(JSONValue.object(object).serialized().utf8)
  }

  /// A document; nil if it cannot be read.
  package mutating func document(_ name: String, _ body: [UInt8]) -> [UInt8]? {
    if level == .none { return body }
    guard let json = body.withUnsafeBytes({ try? JSONValue.parse($0) }) else { return nil }
    let place = RecordedPlace(document: name)
    return Array(redacted(json, key: "", in: nil, place: place, isPrompt: false).serialized().utf8)
  }

  /// The name of a document: `GET /api/memory/facts?guildId=…`.
  package mutating func documentName(_ name: String) -> String {
    level == .none ? name : RecordedDocumentName(name).mapped { masked($0, masksForms: false) }
  }

  /// Kinds whose content begins with the name of an event (contract 4.4), and those whose content is a code.
  private static let eventKinds: Set<String> = [
    "voice_runtime", "text_runtime", "voice_error", "bot_error", "bot_lifecycle", "bot_runtime",
    "memory_runtime",
    "llm_lifecycle", "dashboard", "runtime", "llm_call", "reply_skipped", "voice_session_start",
    "voice_session_end",
  ]

  /// The length of the name of an event at the beginning of a content; 0 if there is none.
  static func eventLength(_ content: String, kind: String) -> Int {
    guard eventKinds.contains(kind) else { return 0 }
    let event = content.prefix {
      $0.isASCII && ($0.isLetter || $0.isNumber || "_-./".contains($0))
    }
    let rest = content.dropFirst(event.count)
    return rest.isEmpty || rest.hasPrefix(":") ? event.count : 0
  }

  /// The content of a row: the name of an event stays.
  private mutating func content(_ text: String, kind: String) -> String {
    let length = Self.eventLength(text, kind: kind)
    guard length > 0 else { return words(text) }
    let code = masked(String(text.prefix(length)), masksForms: false, masksNames: false)
    let rest = String(text.dropFirst(length))
    return code + (rest.contains(" ") ? words(rest) : masked(rest, masksForms: false))
  }

  // MARK: values

  private mutating func redacted(
    _ member: JSONObject.Member, in object: JSONObject, place: RecordedPlace, isPrompt: Bool
  ) -> JSONObject.Member {
    let key = isListed(member.key) ? member.key : masked(member.key, masksForms: false)
    let value = redacted(
      member.value, key: member.key, in: object, place: place, isPrompt: isPrompt)
    return JSONObject.Member(key: key, value: value)
  }

  private func isListed(_ key: String) -> Bool { RecordedField(key) != .unknown }

  private mutating func redacted(
    _ value: JSONValue, key: String, in object: JSONObject?, place: RecordedPlace, isPrompt: Bool
  ) -> JSONValue {
    switch value {
    case .null, .bool: return value
    case .number(let number):
      guard number.text.utf8.count >= 17,
        number.text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { return value }
      return .number(JSONNumber(text: id(number.text, known.sorts[number.text] ?? .message)))
    case .string(let text):
      return .string(string(text, key: key, in: object, place: place, isPrompt: isPrompt))
    case .array(let list):
      return .array(
        list.map { redacted($0, key: key, in: object, place: place, isPrompt: isPrompt) })
    case .object(let inner):
      let isPart = isPrompt || RecordedField(key) == .prompt || key == "replyPrompts"
      return .object(
        JSONObject(
          members: inner.members.map {
            redacted($0, in: inner, place: place, isPrompt: isPart)
          }))
    }
  }

  private mutating func string(
    _ text: String, key: String, in object: JSONObject?, place: RecordedPlace, isPrompt: Bool
  ) -> String {
    guard !text.isEmpty else { return text }
    if place != .other, key == "name" || key == "category" {
      return name(text, place == .guilds ? .guild : .channel)
    }
    switch RecordedField(key) {
    case .id(let sort): return identity(text, sort)
    case .name(let sort): return RecordedField.roles.contains(text) ? text : name(text, sort)
    case .host:
      guard !WebAddress.isOwn(text) else { return text }
      return noted("hosts", text, pseudonyms.name(text.lowercased(), .host))
    case .url: return words(text)
    case .machine:
      if Self.isCode(text, key: key) {
        return masked(text, masksForms: false, masksNames: false)
      }
      return isPrompt && !keepsPrompts ? prompt(text) : words(text)
    case .prompt: return keepsPrompts ? words(text) : prompt(text)
    case .text where Self.factKeys.contains(key) && isAboutNameless(object):
      return noted("facts", text, Self.omission(text))
    case .text:
      return isPrompt && !keepsPrompts && !Self.isCode(text, key: key) ? prompt(text) : words(text)
    case .unknown:
      counts.unlisted[key.utf8.count > 60 ? "…" : masked(key, masksForms: true), default: 0] += 1
      return Self.omission(text)
    }
  }

  /// Fields of codes with blanks between them.
  private static let lists: Set<String> = ["responseShape", "toolNames"]

  /// Letters, digits and marks of identifiers, as the bot's own code writes them.
  static func isCode(_ text: String, key: String) -> Bool {
    let mayHaveBlanks = lists.contains(key)
    return text.utf8.count <= 160
      && text.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: " "): mayHaveBlanks
        default: marks.contains($0)
        }
      }
  }

  private static let marks = Set("_-.:+,#=[]/".utf8)

  private static let factKeys: Set<String> = [
    "fact", "storedFact", "evidence", "evidenceText", "evidence_text",
  ]

  /// Whether a fact is about a person whose name stands nowhere beside the id: it may be in the fact.
  private func isAboutNameless(_ object: JSONObject?) -> Bool {
    let subject = (object?["subject"] ?? object?["userId"] ?? object?["user_id"])?.string ?? ""
    return subject.utf8.count >= 15 && subject.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && known.names(of: subject).isEmpty
  }

  private static func omission(_ text: String) -> String { "[left out: \(text.count) characters]" }

  private mutating func prompt(_ text: String) -> String {
    let left = Self.omission(text)
    counts.note("prompts", text, left, limit: samples)
    // The message itself is content as any other.
    guard let message = PromptMessage(text), message.head.count < text.count else { return left }
    return words(message.head) + "\n\n=== " + left
  }

  private mutating func identity(_ text: String, _ sort: KnownIdentities.Sort) -> String {
    // `__lore__`, `author`
    if text.hasPrefix("__") || RecordedField.roles.contains(text) { return text }
    if sort == .message, !text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // `voice-GUILD-…`: its parts are replaced.
      return masked(text, masksForms: false)
    }
    return noted("ids", text, id(text, known.sorts[text] ?? sort))
  }

  private mutating func id(_ text: String, _ sort: KnownIdentities.Sort) -> String {
    pseudonyms.id(text, sort)
  }

  private mutating func name(_ text: String, _ sort: KnownIdentities.Sort) -> String {
    // The bot's name, unless its owner gave it another one, is that of the program.
    if NameList.product.contains(FoldedText.key(text)) { return text }
    return noted("names", text, pseudonyms.name(text, sort))
  }

  private mutating func noted(_ what: String, _ before: String, _ after: String) -> String {
    counts.note(what, before, after, limit: samples)
    return after
  }

  /// Content: masked, or only its length.
  private mutating func words(_ text: String) -> String {
    guard level == .words else { return masked(text, masksForms: true) }
    // What the bot's code looks for.
    if text.isEmpty || text == "[SKIP]" { return text }
    return noted("words", text, "[\(text.count) characters]")
  }

  /// The text with names, ids and what has the form of something private replaced.
  ///
  /// - Parameters:
  ///   - masksForms: also what only looks like an address, a path, a phone number or a key.
  ///   - masksNames: also names.
  package mutating func masked(
    _ text: String, masksForms: Bool = true, masksNames: Bool = true
  ) -> String {
    guard level != .none else { return text }
    let (composed, folded) = FoldedText.scalars(text)
    var out = String.UnicodeScalarView()
    var hasChanged = false
    var at = 0
    while at < folded.count {
      let previous = composed[safe: at - 1]
      let isStart = previous.map { !$0.isLetterOrDigit } ?? true
      if masksNames, let match = matcher.match(in: folded, at: at) {
        // A part of an address or of a path goes with the whole.
        if masksForms, isStart, let form = SensitivePattern.match(in: composed, at: at),
          form.end > match.end
        {
          out.append(contentsOf: mask(composed[at..<form.end], form.pattern).unicodeScalars)
          at = form.end
        } else {
          let owner = owners[match.name]
          let before = String(String.UnicodeScalarView(composed[at..<match.end]))
          let new = noted("names", before, pseudonyms.name(owner.name, owner.sort))
          out.append(contentsOf: new.unicodeScalars)
          at = match.end
        }
        hasChanged = true
        continue
      }
      // Between a letter and a digit there is no boundary of words, but one of ids.
      let isDigitStart = composed[at].isDigit && previous?.isDigit != true
      let isFraction = previous == "." && composed[safe: at - 2]?.isDigit == true
      if isDigitStart, !isStart || !masksForms || isFraction {
        let end = composed[at...].prefix { $0.isDigit }.endIndex
        let run = String(String.UnicodeScalarView(composed[at..<end]))
        if (17...20).contains(end - at), !isFraction || known.sorts[run] != nil {
          out.append(contentsOf: mask(composed[at..<end], .id).unicodeScalars)
          at = end
          hasChanged = true
          continue
        }
      } else if masksForms, isStart, let form = SensitivePattern.match(in: composed, at: at) {
        out.append(contentsOf: mask(composed[at..<form.end], form.pattern).unicodeScalars)
        at = form.end
        hasChanged = true
        continue
      }
      out.append(composed[at])
      at += 1
    }
    return hasChanged ? String(out) : text
  }

  private mutating func mask(
    _ scalars: ArraySlice<Unicode.Scalar>, _ pattern: SensitivePattern
  ) -> String {
    let text = String(String.UnicodeScalarView(scalars))
    switch pattern {
    case .id: return noted("ids", text, id(text, known.sorts[text] ?? .message))
    case .address:
      guard let host = WebAddress.host(of: text) else { return noted("address", text, "[address]") }
      let scheme = text.prefix { $0 != ":" }
      let word = WebAddress.isOwn(host) ? host : pseudonyms.name(host, .host)
      let rest = text.dropFirst(scheme.count + 3)
      let hasMore = rest.contains { "/?#".contains($0) }
      return noted("address", text, "\(scheme)://\(word)" + (hasMore ? "/[path]" : ""))
    case .path, .mail, .phone, .key: return noted(pattern.rawValue, text, "[\(pattern.rawValue)]")
    case .machine: return noted("machine", text, pseudonyms.name(text.lowercased(), .host))
    }
  }
}
