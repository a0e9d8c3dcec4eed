import Networking
import ClankyWire
import Foundation
import Testing

@testable import CockpitStores

/// Sessions that began and never ended, people who were heard, and how much of a session is here.
@MainActor
@Suite struct CutOffTests {
  private static func row(
    _ id: Int, _ time: String, _ kind: String, _ content: String = "x", session: String,
    user: String? = nil, _ more: String = ""
  ) -> String {
    let user = user.map { "\"\($0)\"" } ?? "null"
    return #"{"id":\#(id),"created_at":"2026-05-09T\#(time)Z","guild_id":"5","channel_id":"77","#
      + #""user_id":\#(user),"kind":"\#(kind)","content":"\#(content)","#
      + #""metadata":{"sessionId":"\#(session)"\#(more)}}"#
  }

  private static func start(_ id: Int, _ time: String, _ session: String) -> String {
    row(
      id, time, "voice_session_start", "voice_joined:88", session: session,
      #","voiceChannelId":"88","mode":"openai_realtime""#)
  }

  private static func end(_ id: Int, _ time: String, _ session: String) -> String {
    row(id, time, "voice_session_end", "nl_leave", session: session)
  }

  private static func listed(_ session: String, _ from: String, _ to: String) -> String {
    #"{"sessionId":"\#(session)","guildId":"5","mode":"x","startedAt":"2026-05-09T\#(from)Z","#
      + #""endedAt":"2026-05-09T\#(to)Z","durationSeconds":60,"endReason":"nl_leave"}"#
  }

  private func bytes(_ rows: [String], _ body: (UnsafeRawBufferPointer) -> Void) {
    Array("[\(rows.joined(separator: ","))]".utf8).withUnsafeBytes(body)
  }

  private func live(_ ids: [String], _ voice: VoiceStore, at ns: UInt64 = 0) {
    let sessions = ids.map {
      #"{"sessionId":"\#($0)","guildId":"5","startedAt":"2026-05-09T18:00:00.000Z"}"#
    }
    let json = #"{"activeCount":\#(ids.count),"sessions":[\#(sessions.joined(separator: ","))]}"#
    Array(json.utf8).withUnsafeBytes { _ = voice.apply($0, atNs: ns) }
  }

  private let nowMs = WireTime.milliseconds("2026-05-09T19:00:00.000Z")

  @Test("D13: a session that the bot crashed in is in the list, with its last event")
  func crashed() throws {
    let voice = VoiceStore()
    live(["now"], voice)
    bytes([Self.listed("a", "17:00:00.000", "17:10:00.000")]) { voice.applyHistory($0) }
    bytes([
      Self.start(9, "18:40:00.000", "now"), Self.start(7, "18:10:00.000", "crashed"),
      Self.end(3, "17:10:00.000", "a"), Self.start(1, "17:00:00.000", "a"),
    ]) { voice.applyBounds($0, nowMs: nowMs) }
    #expect(voice.history.map(\.sessionID) == ["crashed", "a"])
    #expect(voice.cutOff == ["crashed"], "a live session is not cut off")
    #expect(voice.channelID(of: "crashed") == "88", "its beginning names the channel")
    #expect(voice.lastEventMs(of: "crashed") == nil && voice.mayHaveLater("crashed"))
    bytes([
      Self.start(7, "18:10:00.000", "crashed"),
      Self.row(8, "18:23:13.000", "voice_runtime", session: "crashed"),
    ]) { voice.applySummary($0, of: "crashed") }
    let last = try #require(voice.lastEventMs(of: "crashed"))
    #expect(last == WireTime.milliseconds("2026-05-09T18:23:13.000Z"))
    #expect(!voice.mayHaveLater("crashed"))
    let crashed = try #require(voice.history.first)
    #expect(crashed.lengthMs(lastEventMs: last) == 793_000)
  }

  @Test("D13: of an old crash the newer sessions stand above, by its last event")
  func order() {
    let voice = VoiceStore()
    live([], voice)
    bytes([
      Self.listed("late", "18:00:00.000", "18:30:00.000"),
      Self.listed("early", "16:00:00.000", "16:30:00.000"),
    ]) { voice.applyHistory($0) }
    bytes([Self.start(7, "17:00:00.000", "crashed")]) { voice.applyBounds($0, nowMs: nowMs) }
    #expect(voice.history.map(\.sessionID) == ["late", "crashed", "early"])
    bytes([Self.end(8, "17:20:00.000", "crashed")]) { voice.applyBounds($0, nowMs: nowMs) }
    #expect(voice.history.map(\.sessionID) == ["late", "early"], "it has an end after all")
  }

  @Test("D13: a session that vanishes is cut off only when its end does not come")
  func vanishes() {
    let voice = VoiceStore()
    let activity = ActivityStore()
    func come(_ row: String) {
      bytes([row]) { _ = activity.applyRows($0, nowMs: nowMs) }
      voice.follow(activity.log)
    }
    live(["one", "two"], voice, at: 1)
    come(Self.start(1, "18:00:00.000", "one"))
    come(Self.start(2, "18:00:01.000", "two"))
    #expect(voice.history.isEmpty)
    live([], voice, at: 2)
    #expect(voice.cutOff.isEmpty, "the row of its end may be on its way")
    come(Self.end(3, "18:59:00.000", "one"))
    live([], voice, at: 3)
    live([], voice, at: 4)
    #expect(voice.cutOff == ["two"])
    bytes([Self.listed("two", "18:00:01.000", "18:59:00.000")]) { voice.applyHistory($0) }
    #expect(voice.cutOff.isEmpty, "the backend knows its end")
  }

  @Test("D13: nothing is called cut off before it is known what is live")
  func unknown() {
    let voice = VoiceStore()
    bytes([Self.start(7, "17:00:00.000", "s")]) { voice.applyBounds($0, nowMs: nowMs) }
    #expect(voice.history.isEmpty)
    live(["s"], voice)
    #expect(voice.history.isEmpty)
  }

  @Test(
    "a session without a start on record is found through its turns, and its start when it is read")
  func sightings() throws {
    let voice = VoiceStore()
    live(["now"], voice)
    bytes([Self.listed("over", "17:00:00.000", "17:10:00.000")]) { voice.applyHistory($0) }
    let turns = [
      Self.row(9, "18:50:00.000", "voice_turn_in", session: "now"),
      Self.row(8, "18:22:00.000", "voice_error", session: "gone"),
      Self.row(7, "18:02:00.000", "voice_turn_out", session: "gone"),
      Self.row(6, "18:01:00.000", "voice_turn_in", session: "ended"),
      Self.row(5, "18:01:00.000", "voice_error", session: "sess_provider"),
      Self.row(4, "17:05:00.000", "voice_turn_in", session: "over"),
    ]
    bytes(turns) { voice.applySightings($0, nowMs: nowMs) }
    #expect(voice.cutOff.isEmpty, "ends are not known yet")
    bytes([Self.end(6, "18:03:00.000", "ended")]) { voice.applyBounds($0, nowMs: nowMs) }
    #expect(voice.cutOff == ["gone"])
    #expect(voice.history.map(\.sessionID) == ["gone", "over"])
    var evidence = voice.cutOffEvidence(of: "gone")
    #expect(!evidence.hasStart && !evidence.isFirstOnRecord && evidence.mayHaveLater)
    #expect(evidence.firstMs == WireTime.milliseconds("2026-05-09T18:02:00.000Z"))
    #expect(evidence.lastMs == WireTime.milliseconds("2026-05-09T18:22:00.000Z"))

    // Its events were fetched: nothing precedes that one, so no start is on record.
    bytes([
      Self.row(3, "18:00:30.000", "voice_runtime", session: "gone"), turns[2], turns[1],
    ]) { voice.applySummary($0, of: "gone") }
    evidence = voice.cutOffEvidence(of: "gone")
    #expect(!evidence.hasStart && evidence.isFirstOnRecord && !evidence.mayHaveLater)
    #expect(evidence.firstMs == WireTime.milliseconds("2026-05-09T18:00:30.000Z"))

    // Or they begin with its start after all.
    bytes([Self.start(2, "18:00:00.000", "gone"), turns[2], turns[1]]) {
      voice.applySummary($0, of: "gone")
    }
    #expect(voice.cutOffEvidence(of: "gone").hasStart)
    #expect(
      voice.history.first?.startedAt?.milliseconds
        == WireTime.milliseconds("2026-05-09T18:00:00.000Z"))
  }

  @Test("a session that is older than the ends that are known may have ended")
  func olderThanEnds() {
    let voice = VoiceStore()
    live([], voice)
    let ends = (0..<400).map { place in
      Self.end(
        1000 + place, "18:\(30 + place / 60):\(String(place % 60 + 100).dropFirst()).000",
        "e\(place)")
    }
    bytes(ends) { voice.applyBounds($0, nowMs: nowMs) }
    bytes([
      Self.row(8, "18:40:00.000", "voice_turn_in", session: "young"),
      Self.row(7, "18:02:00.000", "voice_turn_out", session: "old"),
    ]) { voice.applySightings($0, nowMs: nowMs) }
    #expect(voice.cutOff == ["young"])
  }

  @Test("sessions of a log that was replaced have no end, those that are live have not broken off")
  func formerLog() {
    let voice = VoiceStore()
    let activity = ActivityStore()
    func come(_ row: String) {
      bytes([row]) { _ = activity.applyRows($0, nowMs: nowMs) }
      voice.follow(activity.log)
    }
    live(["one", "two"], voice, at: 1)
    come(Self.row(5, "18:20:00.000", "voice_runtime", session: "one"))
    come(Self.row(6, "18:21:00.000", "voice_runtime", session: "two"))
    // Another backend with an empty log: it knows of neither.
    bytes([]) { voice.applyBounds($0, nowMs: nowMs) }
    live(["two"], voice, at: 2)
    #expect(voice.cutOff.isEmpty, "its end may be on its way")
    live(["two"], voice, at: 3)
    live(["two"], voice, at: 4)
    #expect(voice.cutOff == ["one"])
    #expect(voice.cutOffEvidence(of: "one").hasStart, "the state said when it began")
  }

  @Test("a session seen in rows of this run alone is found too")
  func rowsOnly() {
    let voice = VoiceStore()
    let activity = ActivityStore()
    live([], voice, at: 1)
    bytes([]) { voice.applyBounds($0, nowMs: nowMs) }
    bytes([Self.row(5, "18:20:00.000", "voice_runtime", session: "one")]) {
      _ = activity.applyRows($0, nowMs: nowMs)
    }
    voice.follow(activity.log)
    live([], voice, at: 2)
    live([], voice, at: 3)
    #expect(voice.cutOff == ["one"])
    #expect(!voice.cutOffEvidence(of: "one").hasStart)
  }

  @Test("D6: people who just spoke were heard, without a recogniser and after it is closed")
  func heard() throws {
    let scene = VoiceScene()
    scene.add(0, "voice_joined:88", ["voiceChannelId": "88"], kind: "voice_session_start")
    scene.add(500, "voice_activity_started", by: "1", ["promotionReason": "strong_local_audio"])
    scene.add(1500, "voice_turn_finalized", by: "1", ["durationMs": 1000])
    try scene.play()
    func state(_ more: String) {
      let json =
        #"{"sessions":[{"sessionId":"s-1","participants":[{"userId":"1","displayName":"Orin"},"#
        + #"{"userId":"2","displayName":"Nadia Vale"},{"userId":"3","displayName":"Ada"}]\#(more)}]}"#
      Array(json.utf8).withUnsafeBytes { _ = scene.voice.apply($0, atNs: 0) }
    }
    state(
      #","recentTurns":[{"kind":"speech","role":"user","speakerName":"Nadia Vale","text":"hi","#
        + #""at":"\#(WireTime(milliseconds: startMs + 2000).iso)"}]"#)
    var people = try #require(scene.voice.people("s-1")).people
    #expect(people.map(\.lastHeardAt) == [startMs + 1500, startMs + 2000, nil])
    state(
      #","asrSessions":[{"userId":"3","connected":true,"#
        + #""lastTranscriptAt":"\#(WireTime(milliseconds: startMs + 7000).iso)"}]"#)
    state("")
    people = try #require(scene.voice.people("s-1")).people
    #expect(people[2].lastHeardAt == startMs + 7000, "its recogniser is closed, the time stays")
  }

  @Test("D9: a session in which nobody spoke has no known number, or the one that was seen")
  func headCount() {
    let rows = [Self.start(1, "18:00:00.000", "s"), Self.end(2, "18:07:00.000", "s")]
    let silent = VoiceStore()
    bytes(rows) { silent.applySummary($0, of: "s") }
    #expect(silent.summaries["s"]?.knownPeople == nil)

    let seen = VoiceStore()
    let json =
      #"{"sessions":[{"sessionId":"s","participants":[{"userId":"1","displayName":"Orin"},"#
      + #"{"userId":"2","displayName":"Nadia Vale"}]}]}"#
    Array(json.utf8).withUnsafeBytes { _ = seen.apply($0, atNs: 0) }
    bytes(rows) { seen.applySummary($0, of: "s") }
    #expect(seen.summaries["s"]?.knownPeople == 2)
    #expect(seen.summaries["s"]?.people == ["Nadia Vale", "Orin"])
  }

  // MARK: S1

  /// A live session of which the rows here begin at its second 1000.
  private func lateScene() throws -> (VoiceStore, VoiceSessionRecord) {
    let scene = VoiceScene()
    scene.add(1_000_000, "voice_activity_started", by: "1")
    scene.add(1_001_000, "voice_turn_finalized", by: "1", ["durationMs": 1000])
    let record = try scene.play()
    record.startedAt = startMs
    return (scene.voice, record)
  }

  private func earlier(_ count: Int, every ms: Int = 1000) -> [String] {
    (0..<count).map { place in
      let iso = WireTime(milliseconds: startMs + Int64(place * ms)).iso
      return Self.row(
        place + 1, String(iso.dropFirst(11).dropLast()), "voice_runtime", "e\(place)",
        session: "s-1")
    }
  }

  @Test("S1: what is not here of a live session is said: before, between, or nothing")
  func extent() throws {
    let (voice, record) = try lateScene()
    let begin = startMs + 999_000
    #expect(record.extent(rowsBeginMs: nil, isLive: true) == .since(startMs + 1_000_000))
    #expect(record.extent(rowsBeginMs: begin, isLive: true) == .since(startMs + 1_000_000))
    #expect(record.extent(rowsBeginMs: startMs - 1, isLive: true) == .whole)

    bytes(earlier(300)) { voice.applyEarlier($0, of: "s-1") }
    #expect(record.extent(rowsBeginMs: begin, isLive: true) == .whole, "the backend gave all")
    #expect(voice.summaries.isEmpty, "it is not over")

    let (other, long) = try lateScene()
    bytes(earlier(500)) { other.applyEarlier($0, of: "s-1") }
    let last = startMs + 499_000
    #expect(long.extent(rowsBeginMs: begin, isLive: true) == .broken(from: last, to: begin))
    let target = try #require(other.restTarget(of: "s-1", nowMs: startMs + 1_100_000))
    #expect(target.description.contains("kinds=voice_runtime"))
    bytes(earlier(3, every: 600_000)) { other.applyRest($0, of: "s-1") }
    #expect(long.extent(rowsBeginMs: begin, isLive: true) == .whole)
    #expect(other.restTarget(of: "s-1", nowMs: startMs) == nil)

    let (full, hole) = try lateScene()
    bytes(earlier(500)) { full.applyEarlier($0, of: "s-1") }
    let newest = (0..<1000).map { place in
      let iso = WireTime(milliseconds: startMs + 700_000 + Int64(place)).iso
      return Self.row(
        5000 + place, String(iso.dropFirst(11).dropLast()), "voice_runtime", "n", session: "other")
    }
    bytes(newest) { full.applyRest($0, of: "s-1") }
    #expect(
      hole.extent(rowsBeginMs: begin, isLive: true)
        == .broken(from: last, to: startMs + 700_001))
  }
}

extension WireTime {
  fileprivate static func milliseconds(_ iso: String) -> Int64 {
    WireTime(iso: iso)?.milliseconds ?? 0
  }
}
