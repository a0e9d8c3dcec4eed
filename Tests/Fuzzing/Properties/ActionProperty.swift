internal import ClankyWire
import CockpitStores
internal import LenientJSON

/// The scanner accepts what the reading rules of the contract accept and finds the same values, and
/// the line that `tail --json` prints of an action says the same.
enum ActionProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    let expected = ActionReference(input)
    let action: Action?
    do { action = try Action(json: input) } catch { action = nil }
    try require(
      action.map(ActionReference.init) == expected,
      "scanned as \(String(describing: action.map(ActionReference.init))), expected "
        + String(describing: expected))
    guard let action else { return }
    try checkMetadata(action, input)
    try checkLine(action, input)
    try checkLog(input)
  }

  private static func member(_ key: String, of input: [UInt8]) -> JSONValue {
    guard case .object(let object) = JSONReference.parse(input) else { return .null }
    return object.members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value ?? .null
  }

  private static func checkMetadata(_ action: Action, _ input: [UInt8]) throws {
    let whole = member("metadata", of: input)
    let found = action.metadata()
    switch whole {
    case .object(let object):
      try require(found.isIdentical(to: whole) || isDeep(whole), "metadata \(found)")
      // One member alone, without reading the others.
      guard let key = object.members.first?.key else { return }
      let part = try input.withUnsafeBytes { bytes in
        try ActionScanner.scan(bytes).metadata([key], in: bytes)
      }
      try require(
        part[key] == found[key], "metadata.\(key) alone: \(String(describing: part[key]))")
    case .array, .string:
      try require(found.isIdentical(to: whole) || isDeep(whole), "metadata \(found)")
    case .null, .bool, .number: try require(found == .null, "metadata \(found)")
    }
  }

  /// Metadata is one level less deep than the action that has it, and so is what is too deep in it.
  private static func isDeep(_ value: JSONValue) -> Bool {
    var level = [value]
    for _ in 0..<JSONParser.maxDepth - 2 where !level.isEmpty {
      level = level.flatMap { value -> [JSONValue] in
        switch value {
        case .array(let elements): elements
        case .object(let object): object.members.map(\.value)
        default: []
        }
      }
    }
    return !level.isEmpty
  }

  private static func checkLine(_ action: Action, _ input: [UInt8]) throws {
    let line = ActionJSON.line(action)
    try require(line.allSatisfy { (0x20..<0x7F).contains($0) }, "not printable: \(line)")
    guard case .object(let object) = JSONReference.parse(line) else {
      throw PropertyFailure("the line is not JSON: \(String(decoding: line, as: UTF8.self))")
    }
    var printed = ActionReference(object)
    if action.costUSD == nil, printed?.cost == 0 { printed?.cost = nil }
    try require(
      printed == ActionReference(action), "printed as \(String(decoding: line, as: UTF8.self))")
  }

  /// The log takes it live, on both streams and stored, and shows one row.
  private static func checkLog(_ input: [UInt8]) throws {
    let log = ActionLog()
    for source in [ActionSource.activity, .voice] {
      input.withUnsafeBytes { bytes in
        do { _ = try log.ingestLive(bytes, from: source, nowMs: 0) } catch {}
      }
    }
    let page = [UInt8(ascii: "[")] + input + [UInt8(ascii: "]")]
    for _ in 0..<2 { _ = page.withUnsafeBytes { log.ingestRows($0, nowMs: 0) } }
    try require(log.count == 1, "\(log.count) rows of one action")
    let row = log.row(at: 0)
    try require(
      row.content().map { Array($0.utf8) }
        == ActionReference(input)?.content.map { Array($0.utf8) },
      "the row's content is \(String(describing: row.content()))")
  }
}
