import ClankyHTTP
import ClankyLink
import ClankyWire
import CockpitStores
import Foundation

/// Fetches what the backend has of past voice sessions: the list, the events of an opened one, and,
/// one after the other, the events of those on the screen, of which only a summary is kept.
@MainActor
final class VoiceHistoryLoader {
  private let voice: VoiceStore
  private let connection: ConnectionStore
  private let link: Link
  private let clock: DispatchClock
  private var sessionsAtList: [String]?
  /// The session whose events are fetched to be summed up.
  private var current: String?
  /// Whether its events are to stay, because it was opened meanwhile.
  private var isCurrentOpened = false
  private var openRequests = 0
  private var waiter: CheckedContinuation<Void, Never>?

  init(voice: VoiceStore, connection: ConnectionStore, link: Link, clock: DispatchClock) {
    self.voice = voice
    self.connection = connection
    self.link = link
    self.clock = clock
  }

  private var isConnected: Bool {
    connection.status.overall == .live || connection.status.overall == .polling
  }

  /// Asks for the list once, and again when a live session began or ended since.
  func keepList() {
    guard let state = voice.state, isConnected else { return }
    let live = state.sessions.map(\.sessionID)
    guard live != sessionsAtList else { return }
    sessionsAtList = live
    loadList()
  }

  /// Asks for the list of past sessions (contract 7.1).
  func loadList() {
    let target = RequestTarget(
      ["api", "voice", "history", "sessions"], query: [.init("limit", "50")])
    request(target) { [voice] result in
      switch result {
      case .success(let body): body.withUnsafeBytes { voice.applyHistory($0) }
      case .failure(let problem): voice.historyFailed(problem.sentence)
      }
    }
  }

  /// Asks for the events of one past session, at most the first 500 (contract 7.1), and keeps them.
  func open(_ id: String) {
    if id == current {
      isCurrentOpened = true
    } else {
      events(of: id) { [voice] body in body.withUnsafeBytes { voice.applyReplay($0, of: id) } }
    }
  }

  /// Sums up the first of these sessions that is not known yet; never two at a time, and each only
  /// once. To be called again with each frame that shows them: so it ends when nobody looks.
  func keepSummaries(_ wanted: [String]) {
    guard current == nil, isConnected,
      let id = wanted.first(where: { voice.summaries[$0] == nil || lacksEvents($0) })
    else { return }
    current = id
    isCurrentOpened = false
    events(of: id) { [weak self] body in
      guard let self else { return }
      body.withUnsafeBytes {
        if isShown(id) || isCurrentOpened {
          voice.applyReplay($0, of: id)
        } else {
          voice.applySummary($0, of: id)
        }
      }
    }
  }

  /// While nothing is live the newest is on the screen with lanes and words.
  private func isShown(_ id: String) -> Bool {
    voice.sessions.isEmpty && id == voice.history.first?.sessionID
  }

  /// Whether it was summed up while something else was on the screen.
  private func lacksEvents(_ id: String) -> Bool {
    isShown(id) && !voice.hasReplay(id) && voice.summaries[id]?.problem == nil
  }

  private func events(of id: String, _ take: @escaping @MainActor ([UInt8]) -> Void) {
    let target = RequestTarget(["api", "voice", "history", "sessions", id, "events"])
    request(target) { [weak self] result in
      switch result {
      case .success(let body): take(body)
      case .failure(let problem): self?.voice.replayFailed(problem.sentence, of: id)
      }
      if self?.current == id { self?.current = nil }
    }
  }

  // MARK: Requests

  private struct Problem: Error { var sentence: String }

  private func request(
    _ target: RequestTarget, _ take: @escaping @MainActor (Result<[UInt8], Problem>) -> Void
  ) {
    openRequests += 1
    link.request(RestRequest(.get, target)) { [weak self] result in
      switch result {
      case .success(let answer) where answer.isSuccess: take(.success(answer.body))
      case .success(let answer):
        take(.failure(Problem(sentence: "the backend answered \(answer.status)")))
      case .failure(let failure): take(.failure(Problem(sentence: failure.description)))
      }
      guard let self else { return }
      openRequests -= 1
      if openRequests == 0 { wake() }
    }
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }

  /// Waits until all answers are there, 1.5 s at most.
  func settle() async {
    guard openRequests > 0 else { return }
    let patience = clock.schedule(afterNs: 1_500_000_000) { [weak self] in self?.wake() }
    await withCheckedContinuation { waiter = $0 }
    patience.cancel()
  }
}
