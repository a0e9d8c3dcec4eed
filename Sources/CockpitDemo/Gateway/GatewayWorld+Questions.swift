/// A request of an agent for answers from an operator.
final class GatewayQuestion {
  let id: String
  let questions: DemoJSON
  let agentID: String
  let sessionKey: String
  let runID: String?
  let createdMs: Int64
  let expiresMs: Int64
  var status = "pending"
  var answers: DemoJSON?
  var resolvedBy: String?
  var onEnd: ((GatewayWorld, Bool) -> Void)?

  init(
    id: String, questions: DemoJSON, agentID: String, runID: String?, sessionKey: String,
    createdMs: Int64, lifeMs: Int
  ) {
    self.id = id
    self.questions = questions
    self.agentID = agentID
    self.sessionKey = sessionKey
    self.runID = runID
    self.createdMs = createdMs
    expiresMs = createdMs + Int64(lifeMs)
  }

  var isPending: Bool { status == "pending" }

  var record: DemoJSON {
    var json: DemoJSON = [
      "id": .string(id), "questions": questions, "agentId": .string(agentID),
      "sessionKey": .string(sessionKey), "createdAtMs": .int(Int(createdMs)),
      "expiresAtMs": .int(Int(expiresMs)), "status": .string(status),
    ]
    if let runID { json = json.setting("runId", .string(runID)) }
    if let answers { json = json.setting("answers", answers) }
    return json
  }

  /// What was asked and how it ended; the answer to a secret question stays out of it.
  var truth: DemoJSON {
    let isSecret = (questions.arrayValue ?? []).contains { $0["isSecret"]?.boolValue == true }
    return [
      "id": .string(id), "session": .string(sessionKey), "secret": .bool(isSecret),
      "created": .int(Int(createdMs)), "expires": .int(Int(expiresMs)),
      "status": .string(status), "by": .text(resolvedBy),
      "answers": isSecret ? .null : answers ?? .null,
    ]
  }

  /// What is wrong with `answers`; nil when every question has a fitting entry.
  func problem(_ answers: DemoJSON) -> String? {
    for question in questions.arrayValue ?? [] {
      let id = question["questionId"]?.stringValue ?? ""
      let given = (answers[id]?.arrayValue ?? []).compactMap(\.stringValue)
      if given.isEmpty { return "question '\(id)' needs an answer" }
      if given.count > 1, question["multiSelect"]?.boolValue != true {
        return "question '\(id)' takes one answer"
      }
      let labels = (question["options"]?.arrayValue ?? []).compactMap { $0["label"]?.stringValue }
      let odd = given.first { !labels.contains($0) }
      if question["isOther"]?.boolValue != true, let odd {
        return "question '\(id)' has no option '\(odd)'"
      }
    }
    return nil
  }
}

extension GatewayWorld {
  /// An agent asks; protocol 3 has no questions.
  @discardableResult
  func ask(
    _ questions: DemoJSON, agent: String, session: String, run: String? = nil,
    lifeMs: Int = 900_000, onEnd: ((GatewayWorld, Bool) -> Void)? = nil
  ) -> GatewayQuestion? {
    guard isV4 else { return nil }
    let question = GatewayQuestion(
      id: "ask_\(storyRandom.token(10))", questions: questions, agentID: agent, runID: run,
      sessionKey: session, createdMs: now, lifeMs: lifeMs)
    question.onEnd = onEnd
    self.questions.append(question)
    note("question requested", ["id": .string(question.id)])
    tell("question.requested", question.record, scope: "operator.questions")
    after(lifeMs) { [weak question] world in
      guard let question, question.isPending else { return }
      world.end(question, status: "expired", answers: nil, by: nil)
    }
    return question
  }

  func end(_ question: GatewayQuestion, status: String, answers: DemoJSON?, by name: String?) {
    guard question.isPending else { return }
    question.status = status
    question.answers = answers
    question.resolvedBy = name
    note("question \(status)", ["id": .string(question.id), "by": .text(name)])
    var payload: DemoJSON = ["id": .string(question.id), "status": .string(status)]
    if let answers { payload = payload.setting("answers", answers) }
    let next = question.onEnd
    question.onEnd = nil
    after(Self.afterAnswerMs) { world in
      world.tell("question.resolved", payload, scope: "operator.questions")
      next?(world, status == "answered")
    }
  }
}
