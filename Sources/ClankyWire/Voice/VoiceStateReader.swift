/// Reads one voice state after the other and only what changed in between.
///
/// A voice state is told whole every 3 s, tens of kilobytes of prompts, facts and turns in it
/// (contract 2.6), and in a room that is silent nothing moves but ages. A part whose bytes are those
/// of the state before is taken from there; it gives what reading it again would give. Texts with
/// anything odd about them are read as a whole.
package struct VoiceStateReader: Sendable {
  /// What was read.
  package struct Reading: Sendable {
    package var state: VoiceState
    /// The parts of each session that are those of the session in the same place before.
    package var kept: [Set<VoiceSessionPart>]

    /// Whether a part is the one of the session that stood in the same place before.
    package func keeps(_ part: VoiceSessionPart, at index: Int) -> Bool {
      kept.indices.contains(index) && kept[index].contains(part)
    }
  }

  private typealias Places = [VoiceSessionPart: Range<Int>]

  /// The bytes that were read last; empty until some were.
  package private(set) var payload: [UInt8] = []
  private var last = VoiceState()
  /// Where the parts of the sessions stand in `payload`.
  private var places: [Places] = []

  package init() {}

  /// Reads a payload of `voice_state` or a body of `/api/voice/state`. Nil when it is no object;
  /// what was read before stays then. Throws when it is no JSON.
  package mutating func read(_ json: UnsafeRawBufferPointer) throws(JSONError) -> Reading? {
    if let (reading, places) = readChanges(json) {
      remember(json, reading.state, places)
      return reading
    }
    guard let state = VoiceState(try JSONValue.parse(json)) else { return nil }
    remember(json, state, [])
    return Reading(state: state, kept: [])
  }

  private mutating func remember(
    _ json: UnsafeRawBufferPointer, _ state: VoiceState, _ places: [Places]
  ) {
    payload.removeAll(keepingCapacity: true)
    payload.append(contentsOf: json)
    last = state
    self.places = places
  }

  /// Nil for a text that must be read as a whole.
  private func readChanges(_ json: UnsafeRawBufferPointer) -> (Reading, [Places])? {
    var outlines: [JSONOutline] = []
    var kept: [Set<VoiceSessionPart>] = []
    let outline = payload.withUnsafeBytes { before in
      JSONOutline(json) { key, cursor in
        guard key == "sessions" else { return cursor.skipValue() }
        return JSONOutline.forEachElement(at: &cursor) { cursor in
          let known = knownParts(of: outlines.count, in: before)
          var same: Set<VoiceSessionPart> = []
          let session = JSONOutline(at: &cursor) { key, cursor in
            if let part = VoiceSessionPart(rawValue: key), let bytes = known[part],
              cursor.skip(bytes)
            {
              same.insert(part)
              return true
            }
            return cursor.skipValue()
          }
          guard let session else { return false }
          outlines.append(session)
          kept.append(same)
          return true
        }
      }
    }
    guard let outline, outline.members.contains(where: { $0.key == "sessions" }),
      let head = outline.object(of: json, where: { $0.key != "sessions" }),
      var state = VoiceState(.object(head))
    else { return nil }
    for (index, outline) in outlines.enumerated() {
      let rest = outline.object(of: json) { member in
        VoiceSessionPart(rawValue: member.key).map { !kept[index].contains($0) } ?? true
      }
      guard let rest, var session = VoiceSession(.object(rest)) else { return nil }
      for part in kept[index] { part.copy(from: last.sessions[index], to: &session) }
      state.sessions.append(session)
    }
    return (Reading(state: state, kept: kept), outlines.map(Self.places))
  }

  /// The bytes of each part of the session that stood in a place before.
  private func knownParts(
    of index: Int, in before: UnsafeRawBufferPointer
  ) -> [VoiceSessionPart: UnsafeRawBufferPointer] {
    guard places.indices.contains(index), last.sessions.indices.contains(index) else { return [:] }
    return places[index].mapValues { UnsafeRawBufferPointer(rebasing: before[$0]) }
  }

  private static func places(_ outline: JSONOutline) -> Places {
    var places = Places()
    for member in outline.members {
      if let part = VoiceSessionPart(rawValue: member.key) { places[part] = member.value }
    }
    return places
  }
}
