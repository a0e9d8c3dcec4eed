import TerminalUI
import Foundation
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite("typing") struct TypingTests {
  /// Wide enough for a message in one row.
  private let size = Size(width: 120, height: 24)

  private func message(_ shell: inout CockpitShell, _ fixture: inout Fixture) -> String {
    shell.render(fixture.facts(), size: size).canvas.text(row: size.height - 2)
  }

  @Test("W08: keys of another layout that mean nothing say so, as Latin ones do")
  func otherLayouts() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    for (key, words) in [
      ("ф", "ф does nothing here; the keys are Latin letters, so switch the keyboard layout"),
      ("λ", "λ does nothing here; the keys are Latin letters, so switch the keyboard layout"),
      ("é", "é does nothing here"), ("X", "X does nothing here"), ("^", "^ does nothing here"),
    ] {
      shell.type(key, &fixture)
      let line = message(&shell, &fixture).trimmingCharacters(in: .whitespaces)
      #expect(line.hasPrefix(words), "\(key): \(line)")
      #expect(words.contains(";") || !line.contains("Latin"), "\(key): \(line)")
      shell.type("Down", &fixture)
      #expect(shell.alert(fixture.facts()) == nil, "it is gone with the next key")
    }
    // In a text they are text.
    shell.type("f", &fixture)
    shell.write("ф", &fixture)
    #expect(shell.pulse.filterField.text == "ф")
    #expect(shell.alert(fixture.facts()) == nil)
  }

  @Test("S10: an old filter is there to be typed over")
  func typedOver() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("f", &fixture)
    shell.write("kind:reply_*", &fixture)
    shell.type("Enter f", &fixture)
    #expect(shell.pulse.filterField.text == "kind:reply_*")
    #expect(shell.pulse.filterField.isSelected)
    shell.write("is:error", &fixture)
    shell.type("Enter", &fixture)
    #expect(shell.pulse.query.text == "is:error")
    shell.type("f End", &fixture)
    shell.write(" x", &fixture)
    #expect(shell.pulse.filterField.text == "is:error x")
    shell.type("Esc", &fixture)
    #expect(shell.pulse.query.text == "is:error", "leaving changes nothing")
  }

  @Test("S10: a selected text: typed over, pasted over, deleted, kept by keys that move")
  func selection() {
    func field(_ presses: [KeyPress]) -> TextField {
      var field = TextField("old", isSelected: true)
      for press in presses { _ = field.press(press) }
      return field
    }
    #expect(field([KeyPress(.char("n"))]).text == "n")
    #expect(field([KeyPress(.backspace)]).text == "")
    #expect(field([KeyPress(.char("w"), .ctrl)]).text == "")
    #expect(field([KeyPress(.end), KeyPress(.char("n"))]).text == "oldn")
    #expect(field([KeyPress(.left), KeyPress(.char("n"))]).text == "olnd")
    #expect(field([KeyPress(.home), KeyPress(.char("n"))]).text == "nold")
    #expect(field([KeyPress(.char("n")), KeyPress(.char("y"), .ctrl)]).text == "nold")
    var pasted = TextField("old", isSelected: true)
    pasted.paste("new")
    #expect(pasted.text == "new")
    #expect(!TextField("", isSelected: true).isSelected)
    #expect(!field([KeyPress(.right)]).isSelected)
  }

  @Test("S10: every prompt that opens with an old text has it selected")
  func prompts() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("/", &fixture)
    shell.write("row", &fixture)
    shell.type("Enter /", &fixture)
    #expect(shell.pulse.findField.isSelected)
    shell.write("x", &fixture)
    #expect(shell.pulse.findField.text == "x")
    shell.type("Esc 4 f", &fixture)
    shell.write("one", &fixture)
    shell.type("Enter f", &fixture)
    #expect(shell.memory.field.text == "one" && shell.memory.field.isSelected)
  }
}
