import CockpitStores
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// Ways to a row: marks, times, and the surroundings of a hit.
@MainActor
@Suite struct FeedPlacesTests {
  private func line(_ scene: inout FeedScene, _ text: String) {
    scene.type(":")
    scene.write(text)
    scene.type("Enter")
  }

  @Test("m and a letter mark a row, ' and the letter come back, '' goes to where the jump began")
  func marks() {
    var scene = FeedScene(.story)
    scene.type("j j m")
    #expect(scene.text().contains("a letter marks the row"))
    scene.write("a")
    #expect(scene.text().contains("mark a is set; 'a comes back"))
    scene.type("G")
    #expect(scene.selectedLine().contains("14:30:09"))
    #expect(scene.canvas().text.contains("\na┌") || scene.canvas().text.contains("\na"))
    scene.write("'a")
    #expect(scene.selectedLine().contains("14:31:40"))
    scene.write("''")
    #expect(scene.selectedLine().contains("14:30:09"))
    scene.write("''")
    #expect(scene.selectedLine().contains("14:31:40"))
    scene.type("C-p")
    scene.write("mark a")
    #expect(scene.text().contains("14:31:40 reply_admission_decision"))
    scene.type("Esc F")
    line(&scene, "goto a")
    #expect(scene.selectedLine().contains("14:31:40"))
    scene.write("'b")
    #expect(scene.text().contains("mark b is not set; mb sets it"))
    scene.write("m1")
    #expect(scene.text().contains("a mark is a letter"))
    // Esc leaves the letter, and nothing else is closed.
    scene.type("Enter")
    scene.write("m")
    scene.type("Esc")
    #expect(!scene.shell.isTyping && scene.shell.pulse.cursor != nil)
  }

  @Test("a mark on a folded row unfolds it, and one that the filter hides switches the filter off")
  func hiddenMarks() {
    var scene = FeedScene(.everything)
    scene.type("j j")
    scene.write("mx")
    scene.type("V G")
    scene.write("'x")
    #expect(scene.selectedLine().contains("LLM_CALL"))
    scene.type("f")
    scene.write("kind:llm_error")
    scene.type("Enter")
    scene.write("'x")
    #expect(scene.selectedLine().contains("LLM_CALL"))
    #expect(scene.text().contains("the filter hid this row and is off"))
  }

  @Test(":goto finds the first row at or after a time, and asks for older ones where they begin")
  func goto() {
    var scene = FeedScene(.everything)
    line(&scene, "goto 14:31")
    #expect(scene.selectedLine().contains("14:31:21"))
    line(&scene, "goto -10s")
    #expect(scene.selectedLine().contains("14:32:03"))
    line(&scene, "goto 14:30:08")
    #expect(scene.selectedLine().contains("14:30:08"))
    scene.write("''")
    #expect(scene.selectedLine().contains("14:32:03"))
    line(&scene, "goto 13:00")
    #expect(scene.selectedLine().contains("14:30:05"))
    #expect(scene.text().contains("no row of that time here"))
    line(&scene, "goto soon")
    #expect(scene.text().contains("soon is no time"))
    scene.type("Esc Esc")
    line(&scene, "level normal")
    #expect(scene.text().contains("NORMAL"))
  }

  @Test("Ctrl-R finds the earlier filter that holds what is typed")
  func history() {
    var scene = FeedScene(.story)
    scene.shell.adopt(earlierFilters: ["is:error", "kind:llm_call since:1h", "kind:sent_reply"])
    scene.type("f")
    scene.write("kind")
    scene.type("C-r")
    #expect(scene.shell.pulse.filterField.text == "kind:llm_call since:1h")
    scene.type("C-r")
    #expect(scene.shell.pulse.filterField.text == "kind:sent_reply")
    scene.type("C-r")
    #expect(scene.text().contains("no older filter holds kind"))
    #expect(scene.shell.pulse.filterField.text == "kind:sent_reply")
  }

  @Test("parentheses show the rows around a hit, dimmed and counted, and take them away again")
  func context() throws {
    var scene = FeedScene(.story, size: Size(width: 120, height: 40))
    scene.type(")")
    #expect(scene.text().contains("there is no filter that hides rows"))
    scene.type("f")
    scene.write("kind:llm_error")
    scene.type("Enter j j )")
    #expect(scene.text().contains("FILTER 3/12") && scene.text().contains("+6 around"))
    #expect(scene.selectedLine().contains("14:31:22"))
    try expectGolden(scene.canvas(), "pulse-context-120x40")
    // Another press takes in more; the rows of the filter are no part of them.
    scene.type(")")
    #expect(scene.text().contains("+9 around"))
    scene.type("( (")
    #expect(!scene.text().contains("around"))
    scene.type("(")
    #expect(scene.text().contains("no rows around this hit are shown"))
    // Another filter has other hits.
    scene.type(") f")
    scene.write("kind:sent_reply")
    scene.type("Enter")
    #expect(!scene.text().contains("around"))
  }
}
