import Networking
import ClankyWire
import Foundation
import LenientJSON
import Testing

@testable import CockpitStores

@Suite @MainActor struct FactChangeTests {
  static let base = madeUpFact(7, "old text", evidence: "said so")

  static func changed(_ text: String) -> WireFact {
    var fact = base
    fact.fact = text
    fact.updatedAt = WireTime(milliseconds: 1_795_200_000_000)
    return fact
  }

  static func draft(_ change: (inout FactEdit) -> Void = { $0.fact = "new text" }) -> FactDraft {
    var edit = FactEdit(
      factID: 7, target: .guild("g1"), subject: "u1", fact: "old text", factType: "preference",
      evidenceText: "said so", confidence: 0.5)
    change(&edit)
    return FactDraft(edit: edit, confidenceText: "0.5", base: base, changedAtMs: 1)
  }

  static func page(_ fact: WireFact?, count: Int = 1) -> FactBackend.Outcome {
    var rows = (0..<(count - 1)).map { madeUpFact(10_000 + $0) }
    if let fact { rows.append(fact) }
    return FactBackend.answer(
      200, JSONValue.body([("facts", .array(rows.map(\.json)))]).serialized())
  }

  static func reply(_ fact: WireFact) -> FactBackend.Outcome {
    FactBackend.answer(
      200, JSONValue.body([("ok", .bool(true)), ("fact", fact.json)]).serialized())
  }

  /// Plays a change through; gives it and how many requests of each kind it made.
  static func play(
    _ draft: FactDraft = draft(), overwriting: WireFact? = nil, reads: [FactBackend.Outcome],
    put: FactBackend.Outcome? = nil
  ) -> (change: FactChange, reads: Int, puts: Int) {
    var change = FactChange(draft, overwriting: overwriting.map { FactOverwrite(theirs: $0) })
    var (readCount, puts) = (0, 0)
    while let step = change.next, readCount + puts < 30 {
      #expect(change.isUnderWay)
      guard change.request(step) != nil else { continue }
      switch step {
      case .read:
        change.take(reads[min(readCount, reads.count - 1)], of: .read)
        readCount += 1
      case .put:
        puts += 1
        // No second request is sent, whatever is requested meanwhile.
        #expect(change.next == nil && change.request(.put) == nil)
        change.take(put ?? FactBackend.failure(.transport("")), of: .put)
      }
    }
    #expect(!change.isUnderWay && puts <= 1)
    return (change, readCount, puts)
  }

  @Test func theUsualWay() {
    let (change, reads, puts) = Self.play(
      reads: [Self.page(Self.base)], put: Self.reply(Self.changed("new text")))
    #expect(change.state == .stored(Self.changed("new text"), cut: []))
    #expect(change.isStoredExactly && reads == 1 && puts == 1)
    #expect(change.sentence == "Stored.")
  }

  @Test func onlyTheTimeHasChanged() {
    let (change, _, puts) = Self.play(
      reads: [Self.page(Self.changed("old text"))], put: Self.reply(Self.changed("new text")))
    #expect(change.isStoredExactly && puts == 1)
  }

  @Test func somebodyElseChangedIt() {
    let (change, _, puts) = Self.play(reads: [Self.page(Self.changed("their text"))])
    #expect(change.state == .conflict(theirs: Self.changed("their text")) && puts == 0)
    #expect(change.sentence.contains("nothing was sent") && change.outcome == .conflict)
  }

  @Test(arguments: ["subject", "type", "evidence", "confidence"])
  func everyMemberCounts(_ member: String) {
    var theirs = Self.base
    switch member {
    case "subject": theirs.subject = "u2"
    case "type": theirs.factType = .project
    case "evidence": theirs.evidenceText = nil
    default: theirs.confidence = 0.51
    }
    let (change, _, puts) = Self.play(reads: [Self.page(theirs)])
    #expect(change.state == .conflict(theirs: theirs) && puts == 0)
  }

  @Test func replacingWhatWasSeen() {
    let theirs = Self.changed("their text")
    let sent = Self.play(
      overwriting: theirs, reads: [Self.page(theirs)], put: Self.reply(Self.changed("new text")))
    #expect(sent.change.isStoredExactly && sent.puts == 1)
    // It has changed once more since: that one was not seen.
    let again = Self.play(overwriting: theirs, reads: [Self.page(Self.changed("third"))])
    #expect(again.change.state == .conflict(theirs: Self.changed("third")) && again.puts == 0)
    // Even the text that editing began with was not what the user decided to replace.
    let back = Self.play(overwriting: theirs, reads: [Self.page(Self.base)])
    #expect(back.change.state == .conflict(theirs: Self.base) && back.puts == 0)
  }

  @Test func somebodyElseSaidTheSame() {
    let (change, _, puts) = Self.play(reads: [Self.page(Self.changed("new text"))])
    #expect(change.state == .stored(Self.changed("new text"), cut: []) && puts == 0)
    #expect(change.sentence.contains("already"))
  }

  @Test func itIsGone() {
    let (change, reads, puts) = Self.play(reads: [Self.page(nil)])
    // In the list of the subject, and among all.
    #expect(change.state == .gone && reads == 2 && puts == 0)
  }

  @Test func itMovedToAnotherSubject() {
    var moved = Self.base
    moved.subject = "u9"
    let (change, reads, _) = Self.play(reads: [Self.page(nil), Self.page(moved)])
    #expect(change.state == .conflict(theirs: moved) && reads == 2)
  }

  @Test func fullPagesProveNothing() {
    let full = Self.page(nil, count: 501)
    let lost = Self.play(reads: [full])
    #expect(lost.reads == 3 && lost.puts == 0)
    #expect(lost.change.state == .failed(FactChange.lostBefore + " The draft is kept."))
    let found = Self.play(
      reads: [full, full, Self.page(Self.base)], put: Self.reply(Self.changed("new text")))
    #expect(found.change.isStoredExactly && found.reads == 3)
  }

  @Test func anUnreadableRowMayBeTheOne() {
    let page = FactBackend.answer(200, "{\"facts\":[\"what\"]}")
    let (change, _, puts) = Self.play(reads: [page])
    #expect(change.outcome == .failed && puts == 0)
  }

  @Test(arguments: [
    FactBackend.failure(.refused(origin: "x")),
    FactBackend.failure(.unauthorized(tokenGiven: true)),
    FactBackend.failure(.notClanky(.html(status: 200)), mayHaveArrived: true),
    FactBackend.answer(200, "{\"facts\""), FactBackend.answer(500, "{\"error\":\"x\"}"),
  ])
  func aFailedReadingSendsNothing(_ outcome: FactBackend.Outcome) {
    let (change, _, puts) = Self.play(reads: [outcome])
    guard case .failed(let sentence) = change.state else {
      Issue.record("\(change.state)")
      return
    }
    #expect(
      sentence.contains("nothing was sent") && sentence.contains("draft is kept") && puts == 0)
  }

  /// How the answer to a PUT is read, and what is read afterwards.
  @Test(arguments: [
    // status, body, expected
    (404, "{\"ok\":false,\"error\":\"not_found\"}", "gone"),
    (409, "{\"ok\":false,\"error\":\"duplicate\"}", "refused duplicate"),
    (500, "{\"error\":\"UNIQUE constraint failed: memory_facts.fact\"}", "refused collision"),
    (400, "{\"ok\":false,\"error\":\"subject required\"}", "refused invalid subject required"),
    (413, "{\"error\":\"payload_too_large\"}", "refused 413"),
    (500, "{\"error\":\"boom\"}", "verify"),
    (200, "{\"ok\":true}", "verify"), (200, "{\"ok\":false}", "verify"), (200, "garbage", "verify"),
    (200, "{\"ok\":true,\"fact\":{\"id\":8,\"fact\":\"new text\"}}", "verify"),
  ])
  func answersToThePut(_ status: Int, _ body: String, _ expected: String) {
    let (change, reads, puts) = Self.play(
      reads: [Self.page(Self.base)], put: FactBackend.answer(status, body))
    #expect(puts == 1)
    switch expected {
    case "gone": #expect(change.state == .gone)
    case "refused duplicate": #expect(change.state == .refused(.duplicate))
    case "refused collision": #expect(change.state == .refused(.collision))
    case "refused invalid subject required":
      #expect(change.state == .refused(.invalid("subject required")))
    case "refused 413": #expect(change.state == .refused(.other(status: 413)))
    default:
      #expect(reads == 2 && change.outcome == .failed)
      #expect(change.sentence.contains("did not arrive"))
    }
    #expect(change.sentence.contains("draft is kept"))
  }

  @Test(arguments: [
    LinkFailure.unauthorized(tokenGiven: true), .forbidden, .hidden(tokenGiven: false),
    .tokenRequiredByServer, .rateLimited, .requestRejected(status: 418, message: "x"),
    .notClanky(.wrongPath), .notClanky(.html(status: 404)),
  ])
  func refusalsAreNoDoubt(_ failure: LinkFailure) {
    let (change, reads, puts) = Self.play(
      reads: [Self.page(Self.base)], put: FactBackend.failure(failure, mayHaveArrived: true))
    #expect(change.outcome == .failed && reads == 1 && puts == 1)
    #expect(change.sentence.contains("Nothing was stored") && change.sentence.contains("kept"))
  }

  @Test func nothingWentOut() {
    let (change, reads, _) = Self.play(
      reads: [Self.page(Self.base)],
      put: FactBackend.failure(.connectionLost(""), mayHaveArrived: false))
    #expect(change.outcome == .failed && reads == 1)
  }

  nonisolated static let doubts: [LinkFailure] = [
    .timedOut(.headers), .timedOut(.transfer), .connectionLost(""),
    .serverError(status: 500, message: ""), .tunnelDown(status: 502, code: nil),
    .notClanky(.html(status: 200)), .notClanky(.notJSON), .transport(""), .answerTooLarge,
    .notClanky(.unexpectedStatus(303)), .redirected(to: "x"), .tooManyRedirects,
    .requestRejected(status: 408, message: ""), .notClanky(.html(status: 408)),
  ]

  @Test(arguments: doubts)
  func doubtIsReadAway(_ failure: LinkFailure) {
    let put = FactBackend.failure(failure, mayHaveArrived: true)
    func outcome(_ after: FactBackend.Outcome) -> FactChange {
      let played = Self.play(reads: [Self.page(Self.base), after], put: put)
      #expect(played.puts == 1)
      return played.change
    }
    #expect(outcome(Self.page(Self.changed("new text"))).isStoredExactly)
    let old = outcome(Self.page(Self.base))
    #expect(old.outcome == .failed && old.sentence.contains("arrive late"))
    let other = outcome(Self.page(Self.changed("third")))
    #expect(other.state == .conflict(theirs: Self.changed("third")) && other.outcome == .unknown)
    #expect(other.sentence.contains("unknown"))
    #expect(outcome(Self.page(nil)).state == .gone)
    #expect(outcome(Self.page(nil, count: 501)).outcome == .unknown)
    let unread = outcome(FactBackend.failure(.refused(origin: "x")))
    #expect(unread.outcome == .unknown && unread.sentence.contains("kept"))
  }

  @Test func whatWasCutIsNamed() {
    var stored = Self.changed("new te")
    stored.confidence = 1
    stored.evidenceText = nil
    let (change, _, _) = Self.play(reads: [Self.page(Self.base)], put: Self.reply(stored))
    #expect(change.state == .stored(stored, cut: [.fact, .evidenceText]))
    #expect(change.isConfidenceClamped && !change.isStoredExactly)
    #expect(change.sentence.contains("the fact and the evidence and the confidence"))
  }

  @Test func whiteSpaceIsNotCut() {
    let draft = Self.draft { $0.fact = "  new \n text " }
    let (change, _, _) = Self.play(
      draft, reads: [Self.page(Self.base)], put: Self.reply(Self.changed("new text")))
    #expect(change.isStoredExactly)
  }

  @Test func whatWouldBeCutIsNotSent() {
    let long = FactChange(Self.draft { $0.fact = String(repeating: "x", count: 401) })
    #expect(long.next == nil && long.outcome == .failed)
    #expect(FactChange(Self.draft { $0.confidence = nil }).outcome == .failed)
    #expect(FactChange(Self.draft { $0.subject = " " }).outcome == .failed)
    #expect(FactChange(Self.draft { $0.target = .guild("") }).outcome == .failed)
  }

  @Test func answersOutOfTurnDoNothing() {
    var change = FactChange(Self.draft())
    let before = change
    change.take(Self.reply(Self.changed("new text")), of: .put)
    #expect(change == before)
    #expect(change.request(.put) == nil)
    _ = change.request(.read)
    change.take(Self.page(Self.base), of: .read)
    #expect(change.state == .sending)
    change.take(Self.page(Self.changed("x")), of: .read)
    #expect(change.state == .sending)
    // Not sent yet: an answer to it cannot have come.
    change.take(Self.reply(Self.changed("new text")), of: .put)
    #expect(change.state == .sending)
    _ = change.request(.put)
    change.hold("too late")
    #expect(change.state == .sending)
  }

  /// Random answers in any order: at most one PUT, and an end.
  @Test func neverMoreThanOnePut() {
    var random = SeededRandom(11)
    let full = Self.page(nil, count: 501)
    let facts: [WireFact?] = [Self.base, Self.changed("new text"), Self.changed("third"), nil]
    for round in 0..<500 {
      var reads: [FactBackend.Outcome] = []
      for _ in 0..<6 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: reads.append(FactBackend.failure(.timedOut(.headers), mayHaveArrived: true))
        case 1: reads.append(FactBackend.answer(500, "{\"error\":\"x\"}"))
        case 2: reads.append(full)
        default: reads.append(Self.page(facts.randomElement(using: &random) ?? nil))
        }
      }
      let put: FactBackend.Outcome =
        switch Int.random(in: 0..<5, using: &random) {
        case 0: Self.reply(Self.changed("new text"))
        case 1: FactBackend.failure(.timedOut(.transfer), mayHaveArrived: true)
        case 2: FactBackend.failure(.forbidden, mayHaveArrived: true)
        case 3: FactBackend.answer(409, "{\"ok\":false,\"error\":\"duplicate\"}")
        default: FactBackend.answer(200, "<html>")
        }
      let (change, _, puts) = Self.play(reads: reads, put: put)
      #expect(puts <= 1 && change.next == nil, "round \(round)")
      if case .conflict = change.state, !change.wasSent { #expect(puts == 0) }
      // What was stored is what the backend said, never a guess.
      if case .stored(let fact, _) = change.state { #expect(fact.fact == "new text") }
    }
  }

  // MARK: The captures of the fact editor

  struct Capture: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var body: [UInt8]
    var testDescription: String { name }
  }

  nonisolated static let captures: [Capture] = {
    guard let folder = Shared.folder?.appending(path: "wire/captures/rest") else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { file -> Capture? in
      guard file.hasPrefix("FACT_"), file.hasSuffix(".json") else { return nil }
      let name = String(file.dropLast(5))
      let headers = try? String(
        contentsOf: folder.appending(path: name + ".headers.txt"), encoding: .utf8)
      guard let status = headers?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
        let body = try? Data(contentsOf: folder.appending(path: file))
      else { return nil }
      return Capture(name: String(name.dropFirst(5)), status: status, body: Array(body))
    }
  }()

  @Test(.enabled(if: Shared.exists, "the captures are not beside the repository"))
  func everyCaptureIsHere() { #expect(Self.captures.count >= 13) }

  @Test(.enabled(if: Shared.exists), arguments: captures)
  func capturedAnswers(_ capture: Capture) throws {
    let outcome = FactBackend.Outcome.success(
      RestAnswer(status: capture.status, body: capture.body, latencyMs: 1))
    if capture.name.hasPrefix("delete_") {
      let expected: DeletionAnswer =
        switch capture.name {
        case "delete_ok": .deleted
        case "delete_again_not-found": .gone
        default: .refused("The backend refused the deletion: guildId required.")
        }
      #expect(DeletionAnswer(outcome) == expected)
      return
    }
    // The fact that the captures edit.
    let requested = FactEdit(
      factID: 2, target: .guild("900000000000000101"), subject: "810000000000000001",
      fact: "Mira soldered the first two lantern prototypes.", factType: "project",
      evidenceText: "edited by the operator", confidence: 0.93)
    var base = madeUpFact(2, "before", subject: "810000000000000001")
    base.guildID = "900000000000000101"
    let draft = FactDraft(edit: requested, confidenceText: "0.93", base: base, changedAtMs: 0)
    if capture.name == "edit_2_get-after" {
      let (change, reads, puts) = Self.play(
        draft, reads: [Self.page(base), outcome],
        put: FactBackend.failure(.timedOut(.headers), mayHaveArrived: true))
      #expect(change.isStoredExactly && reads == 2 && puts == 1)
      return
    }
    let (change, _, puts) = Self.play(draft, reads: [Self.page(base)], put: outcome)
    #expect(puts == 1)
    switch capture.name {
    case "edit_1_put": #expect(change.isStoredExactly)
    case "edit_3_confidence-clamped":
      #expect(change.isConfidenceClamped && change.sentence.contains("the confidence"))
    case "duplicate_conflict": #expect(change.state == .refused(.duplicate))
    case "not-found", "wrong-guild_not-found":
      #expect(change.state == .gone && change.sentence.contains("gone"))
    case let name where name.hasPrefix("validation_"):
      guard case .refused(.invalid(let words)) = change.state else {
        Issue.record("\(change.state)")
        return
      }
      #expect(!words.isEmpty && change.sentence.contains(words))
    default: Issue.record("an unknown capture: \(capture.name)")
    }
  }
}
