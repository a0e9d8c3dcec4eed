internal import ClankyWire
internal import LenientJSON

/// The ids and names of people, guilds, channels and hosts that records contain.
///
/// The wire has no look-up for people: a name is known where it stands beside an id, or in a field that holds names.
package struct KnownIdentities: Hashable, Sendable {
  package enum Sort: String, Hashable, Sendable, CaseIterable {
    case person, bot, guild, channel, host, message
  }

  /// The sort of each id that stood in a field of that sort.
  package private(set) var sorts: [String: Sort] = [:]
  /// All names that were seen beside an id.
  package private(set) var namesByID: [String: Set<String>] = [:]
  /// All names, with and without an id, by their sort.
  package private(set) var names: [Sort: Set<String>] = [:]

  package init() {}

  /// A longer text in a field for names is no name.
  private static let maxNameBytes = 200
  private static let maxDepth = 12

  /// All names that a person ever had.
  package func names(of id: String) -> Set<String> { namesByID[id] ?? [] }

  /// The ids that ever had a name; case is ignored.
  package func ids(named name: String) -> Set<String> {
    let wanted = FoldedText.key(name)
    return Set(
      namesByID.filter { $0.value.contains { FoldedText.key($0) == wanted } }.map(\.key))
  }

  package mutating func learn(_ id: String, _ sort: Sort, name: String? = nil) {
    guard !id.isEmpty, id.utf8.count <= Self.maxNameBytes, !id.hasPrefix("__") else { return }
    if sorts[id] == nil || sort == .bot { sorts[id] = sort }
    guard let name, Self.isName(name) else { return }
    namesByID[id, default: []].insert(name)
    learn(name: name, sorts[id] ?? sort)
  }

  package mutating func learn(name: String, _ sort: Sort) {
    guard Self.isName(name) else { return }
    names[sort, default: []].insert(name)
  }

  /// Whether a text of a field for names can be one: roles of prompts and ids cannot.
  private static func isName(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= maxNameBytes,
      !RecordedField.roles.contains(text), !text.allSatisfy(\.isWhitespace)
    else { return false }
    return !(text.utf8.count >= 15 && text.utf8.allSatisfy { (0x30...0x39).contains($0) })
  }

  // MARK: records

  /// Learns from the JSON of an action.
  package mutating func learn(action: UnsafeRawBufferPointer) {
    guard let json = try? JSONValue.parse(action), case .object(let row) = json else { return }
    learn(json, depth: 0)
    learn(
      rowOf: (row["userId"] ?? row["user_id"])?.string, row["kind"]?.string ?? "",
      row["content"]?.string, row["metadata"])
  }

  /// Learns the names of the row's own user.
  private mutating func learn(
    rowOf user: String?, _ kind: String, _ content: String?, _ metadata: JSONValue?
  ) {
    if kind == "bot_lifecycle", let tag = metadata?["tag"]?.string {
      learn(tag: tag, of: user ?? metadata?["botId"]?.string)
    }
    let bundle = metadata?["replyPrompts"]
    if let message = bundle?["initialUserPrompt"]?.string.flatMap({ PromptMessage($0) }) {
      // Of a reply the row's user is the bot.
      learn(name: message.author, .person)
    }
    guard let user, !user.isEmpty else { return }
    if kind == "llm_call",
      let message = metadata?["userPrompt"]?.string.flatMap({ PromptMessage($0) })
    {
      learn(user, .person, name: message.author)
    }
    guard kind.hasPrefix("voice_"), content?.contains("_asr_") == true,
      let name = metadata?["speakerName"]?.string
    else { return }
    learn(user, .person, name: name)
  }

  /// Members of the metadata with a name or an id beside one.
  private static let nameKeys: Set<String> = RecordedField.keysOfIdentities.union([
    "userPrompt", "tag", "replyPrompts",
  ])

  /// Learns from the JSON of an action what stands in its first two levels: quickly, for many rows.
  package mutating func learn(namesOf action: UnsafeRawBufferPointer) {
    guard let scan = try? ActionScanner.scan(action) else { return }
    let kind = scan.kind.text(in: action) ?? ""
    let user = scan.user.id(in: action)
    // Prompts are long, and only those of text replies begin with a message.
    let isReply = kind == "llm_call"
    let wanted = isReply ? ["userPrompt"] : Self.nameKeys.subtracting(["replyPrompts"])
    let metadata = scan.metadata(wanted, in: action)
    learn(metadata, depth: Self.maxDepth - 3)
    if let user { learn(user, .person) }
    if let guild = scan.guild.id(in: action) { learn(guild, .guild) }
    if let channel = scan.channel.id(in: action) { learn(channel, .channel) }
    learn(rowOf: user, kind, scan.content.text(in: action), metadata)
  }

  /// Learns from a document.
  package mutating func learn(document name: String, _ body: UnsafeRawBufferPointer) {
    guard let json = try? JSONValue.parse(body) else { return }
    let place = RecordedPlace(document: name)
    for entry in json.array ?? [] where place != .other {
      guard let id = entry["id"]?.string else { continue }
      learn(id, place == .guilds ? .guild : .channel, name: entry["name"]?.string)
    }
    learn(json, depth: 0)
  }

  private mutating func learn(_ json: JSONValue, depth: Int) {
    guard depth < Self.maxDepth else { return }
    switch json {
    case .array(let list): for value in list { learn(value, depth: depth + 1) }
    case .object(let object):
      for member in object.members { learn(member, in: object, depth: depth) }
    case .null, .bool, .number, .string: break
    }
  }

  private mutating func learn(_ member: JSONObject.Member, in object: JSONObject, depth: Int) {
    let key = member.key
    for text in Self.texts(of: member.value) {
      switch RecordedField(key) {
      case .id(let sort):
        let names = RecordedField.namesBeside[key] ?? []
        let name = names.lazy.compactMap { object[$0]?.string }.first { Self.isName($0) }
        let isPerson = sort != .person || text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        learn(text, key == "subject" && !isPerson ? .message : sort, name: name)
      case .name(let sort):
        if sort == .bot, key == "userTag" || key == "tag" {
          learn(tag: text, of: nil)
        } else {
          learn(name: text, sort)
        }
      case .url: if let host = WebAddress.host(of: text) { learn(name: host, .host) }
      case .host: learn(name: text, .host)
      case .machine, .text, .prompt, .unknown: break
      }
    }
    learn(member.value, depth: depth + 1)
  }

  /// `clanky#0042`
  private mutating func learn(tag: String, of id: String?) {
    let name = String(tag.prefix { $0 != "#" })
    if let id { learn(id, .bot, name: name) }
    learn(name: tag, .bot)
    learn(name: name, .bot)
  }

  private static func texts(of value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let list): list.compactMap(\.string)
    case .null, .bool, .number, .object: []
    }
  }

  /// Adds what another part of the history knows.
  package mutating func formUnion(_ other: KnownIdentities) {
    sorts.merge(other.sorts) { $1 == .bot ? $1 : $0 }
    namesByID.merge(other.namesByID) { $0.union($1) }
    names.merge(other.names) { $0.union($1) }
  }
}

/// The message that a prompt for a text reply is about: below the first heading, `Message from NAME: …`, or `NAME: …`
/// below the heading of the current message.
struct PromptMessage {
  var author: String
  /// The prompt up to the end of the message.
  var head: String

  init?(_ prompt: String) {
    let text = prompt.prefix(4300)
    guard text.hasPrefix("==="), let end = text.firstIndex(of: "\n") else { return nil }
    var body = text[end...].drop { $0 == "\n" || $0 == " " }
    if body.hasPrefix("Message from ") {
      body = body.dropFirst("Message from ".count)
    } else if !text[..<end].contains("CURRENT MESSAGE") {
      return nil
    }
    guard let colon = body.firstIndex(of: ":") else { return nil }
    author = String(body[..<colon])
    guard !author.isEmpty, author.count <= 100, !author.contains("\n") else { return nil }
    let next = body.firstRange(of: "\n\n===")
    head = String(text[..<(next?.lowerBound ?? text.endIndex)])
  }
}
