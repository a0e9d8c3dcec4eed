/// The positions of an object's members, found in one pass without reading their values: for
/// payloads that are mostly known or not needed.
package struct JSONOutline {
  /// One member, in bytes from the start of the text.
  package struct Member {
    package var key: String
    package var value: Range<Int>
  }

  package private(set) var members: [Member] = []

  /// The members of the object that is the whole text. nil if the text should be parsed normally:
  /// it is no object, is broken, has an escape or one of `SurrogateHalves` in a key, or a key
  /// twice.
  ///
  /// - Parameter step: moves a cursor over the value of a key, and returns whether there was one.
  package init?(
    _ bytes: UnsafeRawBufferPointer, step: (_ key: String, _ cursor: inout JSONCursor) -> Bool
  ) {
    guard var cursor = JSONCursor(bytes) else { return nil }
    cursor.skipSpace()
    self.init(at: &cursor, step: step)
    cursor.skipSpace()
    guard cursor.at == cursor.count else { return nil }
  }

  /// The members of the object that the cursor is on, which is behind it then.
  package init?(
    at cursor: inout JSONCursor, step: (_ key: String, _ cursor: inout JSONCursor) -> Bool
  ) {
    guard cursor.byte == UInt8(ascii: "{") else { return nil }
    cursor.at += 1
    cursor.skipSpace()
    var keys: Set<String> = []
    while cursor.byte != UInt8(ascii: "}") || !members.isEmpty {
      guard let bytes = Self.name(at: &cursor) else { return nil }
      let key = String(decoding: bytes, as: UTF8.self)
      guard keys.insert(key).inserted else { return nil }
      let start = cursor.at
      guard step(key, &cursor) else { return nil }
      members.append(Member(key: key, value: start..<cursor.at))
      cursor.skipSpace()
      guard cursor.byte == UInt8(ascii: ",") else { break }
      cursor.at += 1
      cursor.skipSpace()
    }
    guard cursor.byte == UInt8(ascii: "}") else { return nil }
    cursor.at += 1
  }

  /// Steps over a key and its colon. One with a character that may stand for something else
  /// (`SurrogateHalves`) is left to the ordinary way.
  private static func name(at cursor: inout JSONCursor) -> UnsafeRawBufferPointer? {
    guard let bytes = cursor.skipPlainKey(), !bytes.contains(SurrogateHalves.lead) else {
      return nil
    }
    return bytes
  }

  /// Reads the wanted members; nil if one of them is invalid.
  package func object(
    of bytes: UnsafeRawBufferPointer, where isWanted: (Member) -> Bool
  ) -> JSONObject? {
    var object = JSONObject()
    for member in members where isWanted(member) {
      let slice = UnsafeRawBufferPointer(rebasing: bytes[member.value])
      guard let value = try? JSONValue.parse(slice) else { return nil }
      object.members.append(.init(key: member.key, value: value))
    }
    return object
  }
}
