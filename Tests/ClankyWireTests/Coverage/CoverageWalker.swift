import ClankyWire
import LenientJSON

/// Walks a JSON value and the type it was read into side by side and notes every value of the JSON
/// that did not arrive. It compares values, not only names, so a key read into the wrong property
/// is found as well. There is no list of exceptions.
struct CoverageWalker {
  /// Where something was lost, with list positions left out, and an example of what.
  private(set) var lost: [String: String] = [:]
  /// Number of compared scalars.
  private(set) var compared = 0

  /// Spellings of one thing: the March name and the wire name whose Swift name differs.
  private static let aliases = [
    "lastbraincontextat": "lastnoteat", "lastbraincontextprovider": "lastnoteprovider",
    "lastbraincontextmodel": "lastnotemodel", "braincontextcount": "notecount",
    "braincontextpayload": "notepayload", "createdat": "timestamp",
    "authorname": "author",
  ]

  /// The property that holds a part of the row it stands in.
  private static func embedded(in value: Any) -> Any? {
    switch value {
    case let hit as SearchFact: hit.fact
    case let row as ToolEventRow: row.call
    case let shared as SharedAsrSession: shared.session
    default: nil
    }
  }

  mutating func compare(_ json: JSONValue, with value: Any, at path: String = "") {
    guard json != .null else { return }
    guard let value = Self.unwrap(value) else {
      if json != .string("") { lose(path, "\(json)") }
      return
    }
    if let kept = value as? JSONValue {
      if kept != json { lose(path, "\(json)") }
    } else if type(of: value) == [JSONValue].self, let kept = value as? [JSONValue] {
      if json.array != kept { lose(path, "\(json)") }
    } else if let schedule = value as? AutomationSchedule {
      compare(json, with: schedule, at: path)
    } else {
      switch json {
      case .object(let object): compare(object, with: value, at: path)
      case .array(let array): compare(array.filter { $0 != .null }, with: value, at: path)
      default:
        compared += 1
        if !Self.equal(json, value) { lose(path, "\(json) became \(value)") }
      }
    }
  }

  private mutating func compare(_ object: JSONObject, with value: Any, at path: String) {
    // An empty collection can be cast to any other, so these are distinguished by their exact type.
    if type(of: value) == [String: Int].self, let counts = value as? [String: Int] {
      for member in object.members where counts[member.key] != member.value.int {
        lose(path + "." + member.key, "\(member.value)")
      }
      return
    }
    if type(of: value) == [String: Bool].self, let flags = value as? [String: Bool] {
      for member in object.members where flags[member.key] != member.value.bool {
        lose(path + "." + member.key, "\(member.value)")
      }
      return
    }
    let children = Self.children(of: value)
    let part = Self.embedded(in: value)
    // A null has no value to compare, but its name must be known all the same.
    for member in object.members {
      let path = path + "." + member.key
      let name = Self.plain(member.key)
      if value is Fact, name == "metadata" {
        if let metadata = member.value.object { compare(metadata, with: value, at: path) }
      } else if let part, !Self.owned(name, by: value) {
        compare(
          JSONObject(members: [member]), with: part,
          at: String(path.dropLast(member.key.count + 1)))
      } else if let child = children[name] ?? Self.aliases[name].flatMap({ children[$0] }) {
        compare(member.value, with: child, at: path)
      } else {
        lose(path, "no property for it")
      }
    }
  }

  private mutating func compare(_ array: [JSONValue], with value: Any, at path: String) {
    let elements = Mirror(reflecting: value).children.map(\.value)
    guard elements.count == array.count else {
      return lose(path, "\(array.count) elements became \(elements.count)")
    }
    for (json, element) in zip(array, elements) { compare(json, with: element, at: path + "[]") }
  }

  private mutating func compare(
    _ json: JSONValue, with schedule: AutomationSchedule, at path: String
  ) {
    let same =
      switch schedule {
      case .daily(let hour, let minute):
        json["kind"] == .string("daily") && json["hour"]?.int == hour
          && json["minute"]?.int == minute && json.object?.count == 3
      case .interval(let minutes):
        json["kind"] == .string("interval") && json["everyMinutes"]?.int == minutes
          && json.object?.count == 2
      case .once(let time):
        json["kind"] == .string("once") && json["atIso"] == .string(time.iso)
          && json.object?.count == 2
      case .other(let kept): kept == json
      }
    if !same { lose(path, "\(json) became \(schedule)") }
  }

  private mutating func lose(_ path: String, _ example: String) {
    lost[path] = String(example.prefix(120))
  }

  private static func equal(_ json: JSONValue, _ value: Any) -> Bool {
    switch value {
    case let text as String: json == .string(text) || json == .number(JSONNumber(text: text))
    case let word as any WireWord: json == .string(word.rawValue)
    case let time as WireTime: json == .string(time.iso) || json.double == Double(time.milliseconds)
    case let int as Int: json.int == int
    case let double as Double: json.double == double
    case let bool as Bool: json == .bool(bool) || json.int == (bool ? 1 : 0)
    default: false
    }
  }

  /// Whether a row with an embedded part has this member itself.
  private static func owned(_ name: String, by value: Any) -> Bool {
    switch value {
    case is SearchFact: ["score", "semanticscore", "lexicalscore"].contains(name)
    case is ToolEventRow: name == "sessionid"
    default:
      ["pending", "transcript", "speaker"].contains { name.hasPrefix($0) }
        && !name.hasPrefix("pendingaudio")
    }
  }

  private static func unwrap(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first?.value
  }

  private static func children(of value: Any) -> [String: Any] {
    var children: [String: Any] = [:]
    for child in Mirror(reflecting: value).children {
      if let label = child.label { children[plain(label)] = child.value }
    }
    return children
  }

  /// A name without the differences of snake and camel case and of `Id` and `ID`.
  private static func plain(_ name: String) -> String {
    String(decoding: name.utf8.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self).lowercased()
  }
}
