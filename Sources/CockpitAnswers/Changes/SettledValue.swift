/// A value that rows repeat, such as the model of a role. A change is told where it lasts: a fallback to another
/// model for a single call is none.
struct SettledValue<Value: Hashable & Sendable>: Sendable {
  struct Step {
    var from: Value
    var to: Value
    /// The first row with the new value.
    var mark: Answer.Evidence
  }

  private var values: [(value: Value, mark: Answer.Evidence)] = []

  /// So many rows before and after have to agree.
  private static var window: Int { 3 }
  /// At the end a value has not lasted yet: it is told at once if so many rows before had none like it.
  private static var memory: Int { 20 }

  mutating func take(_ value: Value, at mark: Answer.Evidence) { values.append((value, mark)) }

  /// Oldest first.
  var changes: [Step] {
    var steps: [Step] = []
    for index in values.indices.dropFirst() {
      let (before, now) = (values[index - 1].value, values[index].value)
      guard before != now else { continue }
      let earlier = values[max(0, index - Self.window)..<index]
      let later = values[index..<min(values.count, index + Self.window)]
      guard earlier.allSatisfy({ $0.value == before }), later.allSatisfy({ $0.value == now }) else {
        continue
      }
      if later.count < Self.window {
        let recent = values[max(0, index - Self.memory)..<index]
        guard !recent.contains(where: { $0.value == now }) else { continue }
      }
      steps.append(Step(from: before, to: now, mark: values[index].mark))
    }
    return steps
  }
}
