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

  /// How a session stands in a text, and which of its members are parts.
  fileprivate struct Plan {
    var outline: JSONOutline
    var parts: [VoiceSessionPart?]
  }

  /// The bytes that were read last; empty until some were.
  package private(set) var payload: [UInt8] = []
  private var last = VoiceState()
  /// How the sessions stand in `payload`; empty when it was read as a whole.
  private var plans: [Plan] = []

  package init() {}

  /// Reads a payload of `voice_state` or a body of `/api/voice/state`. Nil when it is no object;
  /// what was read before stays then. Throws when it is no JSON.
  package mutating func read(_ json: UnsafeRawBufferPointer) throws(JSONError) -> Reading? {
    if let (reading, plans) = readChanges(json) {
      remember(json, reading.state, plans)
      return reading
    }
    guard let state = VoiceState(try JSONValue.parse(json)) else { return nil }
    remember(json, state, [])
    return Reading(state: state, kept: [])
  }

  private mutating func remember(
    _ json: UnsafeRawBufferPointer, _ state: VoiceState, _ plans: [Plan]
  ) {
    payload.removeAll(keepingCapacity: true)
    payload.append(contentsOf: json)
    last = state
    self.plans = plans
  }

  /// Nil for a text that must be read as a whole.
  private func readChanges(_ json: UnsafeRawBufferPointer) -> (Reading, [Plan])? {
    var found: [(plan: Plan, changed: [JSONOutline.Member])] = []
    var kept: [Set<VoiceSessionPart>] = []
    let outline = payload.withUnsafeBytes { before in
      JSONOutline(json) { key, cursor in
        guard key == "sessions" else { return cursor.skipValue() }
        return JSONOutline.forEachElement(at: &cursor) { cursor in
          let known = plan(at: found.count)
          var parts: [VoiceSessionPart?] = []
          var same: [Bool] = []
          let session = JSONOutline(
            at: &cursor, like: known.map { .init(outline: $0.outline, bytes: before) }
          ) { key, twin, cursor in
            let part =
              if let twin, let known { known.parts[twin] } else { VoiceSessionPart(rawValue: key) }
            parts.append(part)
            if let part, let place = known?.value(of: part, at: twin),
              cursor.skip(UnsafeRawBufferPointer(rebasing: before[place]))
            {
              same.append(true)
              return true
            }
            same.append(false)
            return cursor.skipValue()
          }
          guard let session else { return false }
          let places = session.members.indices
          kept.append(Set(places.lazy.filter { same[$0] }.compactMap { parts[$0] }))
          found.append(
            (
              Plan(outline: session, parts: parts),
              places.filter { !same[$0] }.map { session.members[$0] }
            ))
          return true
        }
      }
    }
    guard let outline, outline.members.contains(where: { $0.key == "sessions" }),
      let head = outline.object(of: json, where: { $0.key != "sessions" }),
      var state = VoiceState(.object(head))
    else { return nil }
    for (index, (_, changed)) in found.enumerated() {
      guard let rest = JSONOutline.object(of: changed, in: json),
        var session = VoiceSession(.object(rest))
      else { return nil }
      for part in kept[index] { part.copy(from: last.sessions[index], to: &session) }
      state.sessions.append(session)
    }
    return (Reading(state: state, kept: kept), found.map(\.plan))
  }

  /// How the session stood that was in a place before.
  private func plan(at index: Int) -> Plan? {
    guard plans.indices.contains(index), last.sessions.indices.contains(index) else { return nil }
    return plans[index]
  }
}

extension VoiceStateReader.Plan {
  /// Where the value of a part stands, which is most likely the member at a place.
  fileprivate func value(of part: VoiceSessionPart, at place: Int?) -> Range<Int>? {
    (place ?? parts.firstIndex(of: part)).map { outline.members[$0].value }
  }
}
