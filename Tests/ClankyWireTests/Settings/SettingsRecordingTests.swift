import ClankyWire
import Foundation
import LenientJSON
import Testing

/// Every recorded settings document is read, changed in one place and written. What is expected is made from the
/// bytes of the recording by a scanner of its own.
@Suite struct SettingsRecordingTests {
  static let names =
    (try? Recordings.restNames().filter {
      $0.contains("SETTINGS_") || $0.contains("api_settings")
    }) ?? []

  @Test(
    "one leaf changed: every other byte is as it came, unknown members, numbers and order included",
    .enabled(if: !names.isEmpty, "the recordings are not beside the repository"), arguments: names)
  func oneLeaf(name: String) throws {
    let bytes = try Recordings.bytes("captures/rest/\(name).json")
    guard let settings = BotSettings(body: bytes), settings.flaw == nil, !settings.version.isEmpty
    else { return }
    let document = LeafScanner(bytes)
    let intent = try #require(document.text(of: ["intent"]))
    let version = try #require(document.text(of: ["_meta", "updatedAt"]))
    let scanner = LeafScanner(Array(intent.utf8))
    let meta = "\"_meta\":{\"expectedUpdatedAt\":\(version)}}"
    for leaf in scanner.leaves {
      let path = SettingPath(leaf.path)
      let new = leaf.text == "\"changed\"" ? "\"other\"" : "\"changed\""
      let changed = try settings.intent.setting(path, to: try JSONValue.parse(new))
      let found = String(
        decoding: BotSettings.body(changed, version: settings.version), as: UTF8.self)
      let expected = scanner.replacing(leaf, with: new)
      #expect(found == expected.dropLast() + "," + meta, "\(name): \(leaf.path)")
      #expect(changed.removing(path) == settings.intent.removing(path))
    }
    // A leaf that nobody asked for yet comes behind the others.
    let path = SettingPath(["a later release", "member"])
    let added = try settings.intent.setting(path, to: .number(JSONNumber(text: "1.50")))
    let found = String(decoding: BotSettings.body(added, version: settings.version), as: UTF8.self)
    let head = scanner.minified.dropLast() + (scanner.minified == "{}" ? "" : ",")
    #expect(found == head + "\"a later release\":{\"member\":1.50}," + meta)
  }

  @Test(
    "all of them were tried",
    .enabled(if: !names.isEmpty, "the recordings are not beside the repository"))
  func all() throws {
    let whole = try Self.names.filter {
      let settings = BotSettings(body: try Recordings.bytes("captures/rest/\($0).json"))
      return settings?.flaw == nil && settings?.version.isEmpty == false
    }
    #expect(whole.count >= 35, "\(whole.count)")
  }
}

/// Where the values of a JSON text begin and end, with white space between tokens left out.
private struct LeafScanner {
  struct Leaf {
    var path: [String]
    var range: Range<Int>
    var text: String
  }

  private let bytes: [UInt8]
  private var at = 0
  private(set) var leaves: [Leaf] = []
  private var values: [(path: [String], range: Range<Int>)] = []

  var minified: String { String(decoding: bytes, as: UTF8.self) }

  init(_ json: [UInt8]) {
    var kept: [UInt8] = []
    var (inString, isEscaped) = (false, false)
    for byte in json {
      if !inString, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
      kept.append(byte)
      if byte == UInt8(ascii: "\""), !isEscaped { inString.toggle() }
      isEscaped = inString && byte == UInt8(ascii: "\\") && !isEscaped
    }
    bytes = kept
    scan([])
  }

  func text(of path: [String]) -> String? {
    values.first { $0.path == path }.map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }

  func replacing(_ leaf: Leaf, with text: String) -> String {
    String(
      decoding: bytes[..<leaf.range.lowerBound] + Array(text.utf8)
        + bytes[leaf.range.upperBound...], as: UTF8.self)
  }

  /// A value; lists and empty sections are leaves.
  private mutating func scan(_ path: [String]) {
    let start = at
    var isLeaf = true
    if bytes[at] == UInt8(ascii: "{") {
      at += 1
      while bytes[at] != UInt8(ascii: "}") {
        isLeaf = false
        let key = string()
        at += 1
        scan(path + [key])
        if bytes[at] == UInt8(ascii: ",") { at += 1 }
      }
      at += 1
    } else {
      skip()
    }
    values.append((path, start..<at))
    guard isLeaf, !path.isEmpty else { return }
    leaves.append(
      Leaf(path: path, range: start..<at, text: String(decoding: bytes[start..<at], as: UTF8.self)))
  }

  private mutating func string() -> String {
    let start = at
    at += 1
    while bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
    at += 1
    let token = Data("[".utf8) + Data(bytes[start..<at]) + Data("]".utf8)
    return ((try? JSONSerialization.jsonObject(with: token)) as? [String])?.first ?? ""
  }

  /// Past a list, a text, a number or a word.
  private mutating func skip() {
    if bytes[at] == UInt8(ascii: "\"") {
      _ = string()
      return
    }
    var depth = 0
    repeat {
      switch bytes[at] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""):
        _ = string()
        continue
      default: break
      }
      at += 1
    } while at < bytes.count
      && (depth > 0 || !",]}".utf8.contains(bytes[at]))
  }
}
