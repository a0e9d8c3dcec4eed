import Testing

@testable import CockpitCLI

@Suite struct AnswerChoiceTests {
  private enum Remedy: String, AnswerChoice { case address, token, save }

  @Test(
    "an answer is a whole word or one letter, never what something else begins with (promise P6)")
  func answers() {
    #expect(Remedy(answer: "s") == .save)
    #expect(Remedy(answer: "S") == .save)
    #expect(Remedy(answer: "Save") == .save)
    #expect(YesOrNo(answer: "yes") == .yes)
    for answer in ["", "sEcReT-0815", "sa", "tokens", "a s", "-"] {
      #expect(Remedy(answer: answer) == nil, "\(answer)")
    }
  }
}
