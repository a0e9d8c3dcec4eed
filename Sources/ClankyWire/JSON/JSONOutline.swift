/// Where the members of an object stand, found in one pass and without reading their values: for
/// payloads most of which is known already or is not wanted at all.
struct JSONOutline {
  /// One member, in bytes from the start of the text.
  struct Member {
    var key: String
    /// Where the key stands, without its quotes.
    var name: Range<Int>
    var value: Range<Int>
  }

  /// An object that this one is most likely like, member by member, and the text it stands in.
  struct Likeness {
    var outline: JSONOutline
    var bytes: UnsafeRawBufferPointer
  }

  private(set) var members: [Member] = []

  /// The members of the object that is the whole text. Nil for what is better read in the ordinary
  /// way: what is no object, is broken, has an escape or one of `SurrogateHalves` in a key, or one key
  /// twice.
  ///
  /// - Parameter step: moves a cursor over the value of a key, and says whether there was one.
  init?(
    _ bytes: UnsafeRawBufferPointer, step: (_ key: String, _ cursor: inout JSONCursor) -> Bool
  ) {
    guard var cursor = JSONCursor(bytes) else { return nil }
    cursor.skipSpace()
    self.init(at: &cursor, step: step)
    cursor.skipSpace()
    guard cursor.at == cursor.count else { return nil }
  }

  /// The members of the object that the cursor is on, which is behind it then.
  init?(
    at cursor: inout JSONCursor, step: (_ key: String, _ cursor: inout JSONCursor) -> Bool
  ) {
    self.init(at: &cursor, like: nil) { key, _, cursor in step(key, &cursor) }
  }

  /// The same beside an object with, most likely, the same keys in the same order: none of them has
  /// to be read or looked up then.
  ///
  /// - Parameter step: hears also which member of the other object has this key and, like all before
  ///   it, this place; nil from the first difference on.
  init?(
    at cursor: inout JSONCursor, like before: Likeness?,
    step: (_ key: String, _ twin: Int?, _ cursor: inout JSONCursor) -> Bool
  ) {
    guard cursor.byte == UInt8(ascii: "{") else { return nil }
    cursor.at += 1
    cursor.skipSpace()
    if let before { members.reserveCapacity(before.outline.members.count) }
    // No key is there twice while they are, one by one, those of an object where none is.
    var isAlike = before != nil
    var keys: Set<String> = []
    while cursor.byte != UInt8(ascii: "}") || !members.isEmpty {
      guard let (name, bytes) = Self.name(at: &cursor) else { return nil }
      let place = members.count
      let key: String
      if isAlike, let before, let twin = before.member(at: place, named: bytes) {
        key = twin.key
      } else {
        if isAlike {
          isAlike = false
          keys = Set(members.map(\.key))
        }
        key = String(decoding: bytes, as: UTF8.self)
        guard keys.insert(key).inserted else { return nil }
      }
      let start = cursor.at
      guard step(key, isAlike ? place : nil, &cursor) else { return nil }
      members.append(Member(key: key, name: name, value: start..<cursor.at))
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
  private static func name(
    at cursor: inout JSONCursor
  ) -> (place: Range<Int>, bytes: UnsafeRawBufferPointer)? {
    let start = cursor.at + 1
    guard let bytes = cursor.skipPlainKey(), !bytes.contains(SurrogateHalves.lead) else {
      return nil
    }
    return (start..<start + bytes.count, bytes)
  }

  /// Goes through the elements of the array that the cursor is on; false for what is no array or
  /// broken.
  ///
  /// - Parameter step: moves the cursor over an element, and says whether there was one.
  static func forEachElement(
    at cursor: inout JSONCursor, step: (inout JSONCursor) -> Bool
  ) -> Bool {
    guard cursor.byte == UInt8(ascii: "[") else { return false }
    cursor.at += 1
    cursor.skipSpace()
    var isFirst = true
    while cursor.byte != UInt8(ascii: "]") || !isFirst {
      guard step(&cursor) else { return false }
      isFirst = false
      cursor.skipSpace()
      guard cursor.byte == UInt8(ascii: ",") else { break }
      cursor.at += 1
      cursor.skipSpace()
    }
    guard cursor.byte == UInt8(ascii: "]") else { return false }
    cursor.at += 1
    return true
  }

  /// Reads the members that are wanted; nil when one of them cannot be read.
  func object(
    of bytes: UnsafeRawBufferPointer, where isWanted: (Member) -> Bool
  ) -> JSONObject? {
    Self.object(of: members.filter(isWanted), in: bytes)
  }

  /// Reads members of an object in a text; nil when one of them cannot be read.
  static func object(
    of members: some Sequence<Member>, in bytes: UnsafeRawBufferPointer
  ) -> JSONObject? {
    var object = JSONObject()
    for member in members {
      let slice = UnsafeRawBufferPointer(rebasing: bytes[member.value])
      guard let value = try? JSONValue.parse(slice) else { return nil }
      object.members.append(.init(key: member.key, value: value))
    }
    return object
  }
}

extension JSONOutline.Likeness {
  /// The member at a place if it has a name.
  fileprivate func member(
    at place: Int, named name: UnsafeRawBufferPointer
  ) -> JSONOutline.Member? {
    guard place < outline.members.count else { return nil }
    let member = outline.members[place]
    let own = UnsafeRawBufferPointer(rebasing: bytes[member.name])
    return name.hasSameBytes(as: own) ? member : nil
  }
}

extension JSONCursor {
  /// Steps over a text that is known to be a value, if it is what comes next.
  mutating func skip(_ known: UnsafeRawBufferPointer) -> Bool {
    guard !known.isEmpty, known.count <= count - at,
      UnsafeRawBufferPointer(start: base + at, count: known.count).hasSameBytes(as: known)
    else { return false }
    at += known.count
    return true
  }
}
