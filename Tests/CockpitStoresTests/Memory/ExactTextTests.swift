import CockpitDomain
import Networking
import ClankyWire
import Testing

@testable import CockpitStores

/// Texts that Unicode calls equivalent are two texts: the backend stores them apart (promise P8).
@Suite @MainActor struct ExactTextTests {
  static let composed = "caf\u{E9} r\u{E9}sum\u{E9}"
  static let decomposed = "cafe\u{301} re\u{301}sume\u{301}"

  @Test func comparing() {
    #expect(Self.composed == Self.decomposed)
    #expect(!Self.composed.isIdentical(to: Self.decomposed))
    #expect(Self.composed.isIdentical(to: Self.composed))
    // As long as each other, and not the same.
    #expect(
      "a\u{323}\u{307}" == "a\u{307}\u{323}"
        && !"a\u{323}\u{307}".isIdentical(to: "a\u{307}\u{323}"))
    let draft = FactChangeTests.draft { $0.fact = Self.composed }
    var other = draft
    other.edit.fact = Self.decomposed
    #expect(draft.edit != other.edit && draft != other)
    other = draft
    other.base.fact = Self.composed
    var third = other
    third.base.fact = Self.decomposed
    #expect(other != third)
  }

  @Test("what is stored in another spelling is not stored exactly")
  func storedOtherwise() {
    let (change, _, puts) = FactChangeTests.play(
      FactChangeTests.draft { $0.fact = Self.decomposed },
      reads: [FactChangeTests.page(FactChangeTests.base)],
      put: FactChangeTests.reply(FactChangeTests.changed(Self.composed)))
    #expect(puts == 1 && !change.isStoredExactly)
    #expect(change.sentence.contains("look alike"))
    guard case .stored(_, cut: [.fact]) = change.state else {
      Issue.record("\(change.state)")
      return
    }
  }

  @Test("a fact in another spelling does not already say this, and is a conflict when it changed")
  func beforeThePut() {
    var base = FactChangeTests.base
    base.fact = Self.composed
    var draft = FactChangeTests.draft { $0.fact = Self.decomposed }
    draft.base = base
    let sent = FactChangeTests.play(
      draft, reads: [FactChangeTests.page(base)],
      put: FactChangeTests.reply(FactChangeTests.changed(Self.decomposed)))
    #expect(sent.puts == 1 && sent.change.isStoredExactly)

    draft.edit.fact = "something else"
    var theirs = base
    theirs.fact = Self.decomposed
    let refused = FactChangeTests.play(draft, reads: [FactChangeTests.page(theirs)])
    #expect(refused.puts == 0)
    guard case .conflict = refused.change.state else {
      Issue.record("\(refused.change.state)")
      return
    }
  }

  @Test("a list takes over the other spelling")
  func list() {
    var table = FactTable()
    var fact = FactChangeTests.base
    fact.fact = Self.composed
    table.merge([fact], guild: "g1")
    fact.fact = Self.decomposed
    let before = table.revision
    table.merge([fact], guild: "g1")
    #expect(table.revision > before)
    #expect(table[7]?.fact.fact?.isIdentical(to: Self.decomposed) == true)
  }
}
