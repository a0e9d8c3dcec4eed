internal import Networking

/// One change of a fact at a time, whichever run of the program makes it: the backend has no version
/// check (wire contract 6.3), so two that read the fact before either has written would both write
/// (promise P8).
extension MemoryService {
  /// How long to wait for another run, in ns: 45 s, longer than its requests may take.
  static let turnNs = Nanoseconds.seconds(45)
  /// Polling interval for its end, in ns: 50 ms. The kernel sends no event.
  private static let lookNs: UInt64 = 50_000_000

  /// Begins a change of a fact as soon as no other run is changing it.
  ///
  /// - Parameters:
  ///   - wait: called when it cannot begin at once.
  ///   - begin: called once, with why the change cannot be made if so. `endTurn` ends it in every
  ///     case.
  func takeTurn(
    _ id: Int, wait: @MainActor () -> Void = {}, begin: @escaping @MainActor (String?) -> Void
  ) {
    if let answer = turn(id) { return begin(answer.problem) }
    wait()
    look(id, untilNs: clock.nowNs &+ Self.turnNs, begin)
  }

  func endTurn(_ id: Int) {
    guard turns.remove(id) != nil else { return }
    storage?.endTurn(DraftFile.name(factID: id, backend: backend))
  }

  private func look(_ id: Int, untilNs: UInt64, _ begin: @escaping @MainActor (String?) -> Void) {
    turnTimers[id] = clock.schedule(afterNs: Self.lookNs) { [weak self] in
      guard let self else { return }
      turnTimers[id] = nil
      guard let answer = turn(id) ?? (clock.nowNs >= untilNs ? .tooLong : nil) else {
        return look(id, untilNs: untilNs, begin)
      }
      begin(answer.problem)
      checkIdle()
    }
  }

  /// nil while another run is changing the fact.
  private func turn(_ id: Int) -> Turn? {
    guard let storage else { return .ours }
    do {
      guard try storage.takeTurn(DraftFile.name(factID: id, backend: backend)) else { return nil }
      turns.insert(id)
      return .ours
    } catch {
      let problem = "The journal and its lock could not be written: \(error)"
      store.diskProblem = problem
      return .failed(problem + " Without a journal nothing is sent.")
    }
  }
}

/// The result of waiting for other runs.
private enum Turn {
  case ours
  case failed(String)

  static let tooLong = Turn.failed(
    "Another clanky-cockpit has been changing this fact for too long, so nothing was sent; end it, "
      + "then try again.")

  var problem: String? {
    switch self {
    case .ours: nil
    case .failed(let problem): problem
    }
  }
}
