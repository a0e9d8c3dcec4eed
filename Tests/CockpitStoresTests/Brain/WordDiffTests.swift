import Testing

@testable import CockpitStores

@Suite struct WordDiffTests {
  /// The text of one side of all hunks, put together again.
  private func side(_ diff: WordDiff, added: Bool) -> [String] {
    diff.hunks.flatMap(\.lines).compactMap { line in
      switch line {
      case .same(let text): text
      case .removed(let runs): added ? nil : runs.map(\.text).joined()
      case .added(let runs): added ? runs.map(\.text).joined() : nil
      }
    }
  }

  private func changed(_ diff: WordDiff) -> [String] {
    diff.hunks.flatMap(\.lines).flatMap { line -> [String] in
      switch line {
      case .same: []
      case .removed(let runs): runs.filter(\.isChanged).map { "-" + $0.text }
      case .added(let runs): runs.filter(\.isChanged).map { "+" + $0.text }
      }
    }
  }

  @Test func equalTextsHaveNoHunks() {
    #expect(WordDiff(old: "a\nb", new: "a\nb").isEmpty)
    #expect(WordDiff(old: "", new: "").isEmpty)
  }

  @Test func oneWordIsMarkedAlone() {
    let diff = WordDiff(old: "you are a calm bot.", new: "you are a loud bot.")
    #expect(changed(diff) == ["-calm", "+loud"])
    #expect(diff.removedLength == 4)
    #expect(diff.addedLength == 4)
    #expect(!diff.isCoarse)
  }

  @Test func numbersOfAHunkAreThoseOfItsLines() throws {
    let old = (1...20).map { "line \($0)" }.joined(separator: "\n")
    let new = old.replacing("line 10", with: "line 10\nand one more")
    let diff = WordDiff(old: old, new: new, context: 2)
    let hunk = try #require(diff.hunks.first)
    #expect(diff.hunks.count == 1)
    #expect(hunk.oldStart == 9 && hunk.oldCount == 4)
    #expect(hunk.newStart == 9 && hunk.newCount == 5)
    #expect(changed(diff) == ["+and one more"])
  }

  @Test func farChangesAreTwoHunksAndNearOnesAreOne() {
    let lines = (1...40).map { "line \($0)" }
    var far = lines
    far[3] = "changed"
    far[30] = "changed too"
    #expect(
      WordDiff(old: lines.joined(separator: "\n"), new: far.joined(separator: "\n")).hunks.count
        == 2)
    var near = lines
    near[3] = "changed"
    near[6] = "changed too"
    let diff = WordDiff(old: lines.joined(separator: "\n"), new: near.joined(separator: "\n"))
    #expect(diff.hunks.count == 1)
    #expect(diff.hunks.first?.oldStart == 2)
  }

  @Test func fromNothingAndToNothing() {
    let came = WordDiff(old: "", new: "hello\nthere")
    #expect(came.addedLength == 10)
    let went = WordDiff(old: "hello\nthere", new: "")
    #expect(went.removedLength == 10)
  }

  @Test func chineseIsComparedSignBySign() {
    let diff = WordDiff(old: "机器人很安静地说话", new: "机器人很大声地说话")
    #expect(changed(diff) == ["-安静", "+大声"])
  }

  @Test("both sides can be put together again, whatever the texts are")
  func sidesAreWhole() {
    var generator = SystemRandomNumberGenerator()
    let words = ["a", "b", "the", ", ", ".", "\n", " ", "作", "e\u{301}", "\u{1B}[31m", "\r\n"]
    for _ in 0..<300 {
      func text() -> String {
        (0..<Int.random(in: 0...30, using: &generator)).map { _ in words.randomElement() ?? "" }
          .joined()
      }
      let (old, new) = (text(), text())
      let diff = WordDiff(old: old, new: new, context: 1000)
      guard !diff.isEmpty else {
        #expect(old.utf8.elementsEqual(new.utf8))
        continue
      }
      #expect(side(diff, added: false).joined(separator: "\n") == old)
      #expect(side(diff, added: true).joined(separator: "\n") == new)
    }
  }

  @Test("the edits are as few as there can be", arguments: 0..<40)
  func shortest(seed: Int) {
    var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let a = (0..<next(14)).map { _ in next(4) }
    let b = (0..<next(14)).map { _ in next(4) }
    // The longest common subsequence, the slow and simple way.
    var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in a.indices {
      for j in b.indices {
        table[i + 1][j + 1] =
          a[i] == b[j] ? table[i][j] + 1 : max(table[i][j + 1], table[i + 1][j])
      }
    }
    let runs = SequenceDiff.runs(a, b, maxEdits: 100) ?? []
    var (common, rebuilt) = (0, [Int]())
    for run in runs {
      switch run {
      case .same(let old, let new):
        #expect(Array(a[old]) == Array(b[new]))
        common += old.count
        rebuilt += b[new]
      case .added(let range): rebuilt += b[range]
      case .removed: break
      }
    }
    #expect(rebuilt == b)
    #expect(common == table[a.count][b.count])
  }

  @Test("60 KB with nothing in common, and one line of 60 KB, stay quick")
  func hostileTexts() {
    let clock = ContinuousClock()
    let old = (0..<12_000).map { "o\($0)" }.joined(separator: " ")
    let new = (0..<12_000).map { "n\($0)" }.joined(separator: " ")
    var isCoarse = false
    let time = clock.measure {
      isCoarse = WordDiff(old: old, new: new).isCoarse
      _ = WordDiff(
        old: String(repeating: "a\n", count: 30_000), new: String(repeating: "b\n", count: 30_000))
      _ = WordDiff(
        old: String(repeating: "a b ", count: 15_000), new: String(repeating: "b a ", count: 15_000)
      )
    }
    #expect(isCoarse)
    #expect(time < .seconds(20))  // unoptimised, on a busy machine; quadratic would be minutes
  }
}
