import TerminalCore
import Testing

@testable import CockpitPanes

@Suite struct TextAreaTests {
  private func press(_ area: inout TextArea, _ keys: String, width: Int = 20) {
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses { _ = area.press(press, width: width) }
    }
  }

  @Test("Enter begins a line, and pasted line ends stay")
  func lines() {
    var area = TextArea("one", isAtEnd: true)
    press(&area, "Enter t w o")
    #expect(area.text == "one\ntwo")
    area.paste("\r\nthree\tx")
    #expect(area.text == "one\ntwo\r\nthree\tx")
    // A line end of two bytes is one character, and is kept.
    #expect(
      area.lines(width: 20).map { String(area.characters[$0]) } == ["one", "two", "three\tx"])
  }

  @Test("up and down keep the column, over wrapped and empty lines")
  func vertical() {
    var area = TextArea("abcdefghij klm\n\nxyz")
    #expect(
      area.lines(width: 11).map { String(area.characters[$0]) } == [
        "abcdefghij ", "klm", "", "xyz",
      ])
    press(&area, "Right Right Down", width: 11)
    #expect(area.characters[area.cursor] == "m")
    press(&area, "Down", width: 11)
    #expect(area.cursorLine(in: area.lines(width: 11)) == 2)
    press(&area, "Down Up Up Up", width: 11)
    #expect(area.cursorLine(in: area.lines(width: 11)) == 0)
    press(&area, "Up", width: 11)
    #expect(area.cursor == 0)
    press(&area, "Down Down Down Down Down", width: 11)
    #expect(area.cursor == area.characters.count)
  }

  @Test("readline keys mean the line, and undo takes back")
  func readline() {
    var area = TextArea("first line\nsecond line", isAtEnd: true)
    press(&area, "C-u")
    #expect(area.text == "first line\n")
    press(&area, "C-y Up C-a C-k")
    #expect(area.text == "\nsecond line")
    var isUndone = area.undo()
    #expect(isUndone && area.text == "first line\nsecond line")
    press(&area, "a b c")
    isUndone = area.undo()
    #expect(isUndone && area.text == "first line\nsecond line", "typed letters are one step")
    while area.undo() {}
    #expect(area.text == "first line\nsecond line")
    isUndone = area.undo()
    #expect(!isUndone)
  }

  @Test("wide characters wrap by columns")
  func wide() {
    let area = TextArea("長い文字")
    #expect(area.lines(width: 4).count == 2)
  }
}
