import CockpitAnswers
import Testing

@Suite struct AnswerTests {
  @Test("the names of the states are those of answers in JSON")
  func states() {
    #expect(
      Answer.State.allCases.map(\.rawValue) == ["observed", "inferred", "unknown", "contradicted"])
  }
}
