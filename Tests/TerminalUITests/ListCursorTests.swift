import Testing
import TerminalUI

/// One cursor for every list: of facts, of voice turns, of the rows of CMD, of the lines of a text.
@Suite struct ListCursorTests {
  private func list(
    _ items: [String], height: Int = 4, rest: CursorList<String>.Rest = .top
  ) -> CursorList<String> {
    CursorList(count: items.count, height: height, rest: rest) { items[$0] }
  }

  private let letters = "abcdefghij".map { String($0) }

  @Test("an item keeps the cursor and its line of the screen while others come before it")
  func keepsItem() {
    var cursor = ListCursor<String>()
    cursor.select(line: 5, in: list(letters))
    let onScreen = cursor.line - cursor.scroll
    cursor.clamp(to: list(["x", "y"] + letters))
    #expect(cursor.id == "f" && cursor.line == 7)
    #expect(cursor.line - cursor.scroll == onScreen)
  }

  @Test("an item that has gone leaves the cursor on its neighbour")
  func gone() {
    var cursor = ListCursor<String>()
    cursor.select(line: 9, in: list(letters))
    cursor.clamp(to: list(letters.dropLast(1)))
    #expect(cursor.id == "i" && cursor.line == 8)
    cursor.select(line: 3, in: list(letters))
    cursor.clamp(to: list(letters.filter { $0 != "d" }))
    #expect(cursor.id == "e" && cursor.line == 3)
  }

  @Test("an empty list changes nothing, and the item is found again after it")
  func empty() {
    var cursor = ListCursor<String>()
    cursor.select(line: 5, in: list(letters))
    cursor.clamp(to: list([]))
    cursor.clamp(to: list(letters))
    #expect(cursor.id == "f" && cursor.line == 5)
  }

  @Test("at rest at the top it stays on the first line, whatever comes to stand there")
  func restsAtTop() {
    var cursor = ListCursor<String>()
    cursor.clamp(to: list(["x"] + letters))
    #expect(cursor.isResting && cursor.line == 0 && cursor.id == nil)
    cursor.move(by: 2, in: list(letters))
    #expect(!cursor.isResting && cursor.id == "c")
    cursor.move(by: -9, in: list(letters))
    #expect(cursor.isResting)
  }

  @Test("a list that follows its end: the wheel leaves it and comes back to it")
  func follows() {
    let following = list(letters, rest: .following(.bottom))
    var cursor = ListCursor<String>()
    cursor.clamp(to: following)
    #expect(cursor.isResting && cursor.line == 9 && cursor.scroll == 6)
    cursor.scroll(by: -3, in: following)
    #expect(!cursor.isResting && cursor.scroll == 3)
    cursor.scroll(by: 3, in: following)
    #expect(cursor.isResting)
    cursor.move(by: -1, in: following)
    #expect(cursor.id == "j", "the first step goes to the line at the end")
    cursor.perform(.bottom, in: following)
    #expect(cursor.isResting)
  }

  @Test("no step leaves the list, however large", arguments: [Int.min, -1_000, 1_000, .max])
  func bounds(step: Int) {
    var cursor = ListCursor<String>()
    cursor.select(line: 5, in: list(letters))
    cursor.move(by: step, in: list(letters))
    #expect(cursor.line == (step < 0 ? 0 : 9))
    #expect(cursor.scroll == (step < 0 ? 0 : 6))
  }

  @Test("a text has lines and no items: the end is found when its length is known")
  func text() {
    var cursor = ListCursor<Never>()
    cursor.step(.bottom, page: 4)
    cursor.clamp(count: 10, height: 4)
    #expect(cursor.line == 9 && cursor.scroll == 6)
    cursor.shift(by: -4)
    cursor.clamp(count: 10, height: 4)
    #expect(cursor.line == 5 && cursor.scroll == 2)
  }
}
