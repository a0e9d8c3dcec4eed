internal import LenientJSON
internal import ClankyWire

/// A list of rows comes apart into its elements; a broken one costs itself.
enum RowsProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    var rows: [[UInt8]] = []
    let outcome = input.withUnsafeBytes { bytes in
      ActionRows.split(bytes) { rows.append(Array(bytes[$0])) }
    }
    try require(outcome.rows == rows.count, "\(outcome.rows) rows, \(rows.count) handed out")
    for row in rows {
      try require(JSONReference.parse(row) != nil, "handed out \(row), which is no value")
    }
    guard let expected = elements(JSONReference.parse(input)) else { return }
    try require(
      outcome.isComplete && outcome.badRows == 0 && rows.count == expected.count,
      "\(rows.count) rows and \(outcome.badRows) bad ones of \(expected.count)")
    // A row that cannot be read stands between good ones.
    for row in rows.prefix(3) {
      let page =
        Array("[".utf8) + row + Array(#",{"a":bad,"b":[1,"x,]"]},"#.utf8) + row + Array("]".utf8)
      var count = 0
      let outcome = page.withUnsafeBytes { bytes in ActionRows.split(bytes) { _ in count += 1 } }
      try require(
        count == 2 && outcome.badRows == 1 && outcome.isComplete, "a bad row cost more than itself")
    }
  }

  /// The elements that the splitter must hand out: of the array, or of every `actions` of the object.
  private static func elements(_ value: JSONValue?) -> [JSONValue]? {
    switch value {
    case .array(let elements): elements
    case .object(let object):
      object.members.filter { $0.key.utf8.elementsEqual("actions".utf8) }
        .flatMap { $0.value.array ?? [] }
    default: nil
    }
  }
}
