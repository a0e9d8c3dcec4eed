/// Sentences on their way from text to sound: a bounded number is synthesised ahead, and all are played in the order
/// in which they were said, whichever is ready first.
package struct SpeechQueue: Sendable {
  package struct Item: Identifiable, Hashable, Sendable {
    package typealias ID = Int
    package enum State: Hashable, Sendable {
      /// As text.
      case waiting
      case synthesising
      /// All of its audio is here.
      case ready
      case failed
    }

    package let id: ID
    package let text: String
    package internal(set) var state = State.waiting
    package internal(set) var format: AudioFormat?
    /// Samples that were not played yet.
    package internal(set) var audio: [UInt8] = []
  }

  /// Sentences that have audio or are getting it, with the one that is played.
  package static let bound = 3

  private var items: [Item] = []
  private var nextID = 1
  /// The sentence that is being played.
  package private(set) var playing: Item.ID?

  package init() {}

  package var isEmpty: Bool { items.isEmpty }
  package var waiting: Int { items.count { $0.state == .waiting } }
  package var ahead: Int { items.count - waiting }
  package subscript(id: Item.ID) -> Item? { items.first { $0.id == id } }

  @discardableResult
  package mutating func add(_ text: String) -> Item.ID {
    defer { nextID += 1 }
    items.append(Item(id: nextID, text: text))
    return nextID
  }

  /// The next sentence to synthesise; nil while enough are ahead.
  package mutating func startNext() -> Item? {
    guard ahead < Self.bound, let place = items.firstIndex(where: { $0.state == .waiting }) else {
      return nil
    }
    items[place].state = .synthesising
    return items[place]
  }

  package mutating func append(_ audio: [UInt8], _ format: AudioFormat, to id: Item.ID) {
    change(id) {
      $0.format = format
      $0.audio += audio
    }
  }

  /// All of its audio has come.
  package mutating func finish(_ id: Item.ID) { change(id) { $0.state = .ready } }

  /// It cannot be said: later ones are said nevertheless, and what has come of it is.
  package mutating func fail(_ id: Item.ID) { change(id) { $0.state = .failed } }

  /// The sentence whose audio comes next, as soon as some of it is here; nil while another one is played.
  package mutating func play() -> Item? {
    guard playing == nil else { return nil }
    while let first = items.first, first.state == .failed || first.state == .ready,
      first.audio.isEmpty
    { items.removeFirst() }
    guard let first = items.first, first.state != .waiting, !first.audio.isEmpty else { return nil }
    playing = first.id
    return first
  }

  /// Audio of the sentence that is played.
  package mutating func takeAudio(limit: Int) -> (bytes: [UInt8], isLast: Bool) {
    guard let playing, let place = items.firstIndex(where: { $0.id == playing }) else {
      return ([], true)
    }
    let taken = Array(items[place].audio.prefix(limit))
    items[place].audio.removeFirst(taken.count)
    let state = items[place].state
    return (taken, items[place].audio.isEmpty && (state == .ready || state == .failed))
  }

  /// The sentence that was played is over.
  package mutating func played() {
    guard let playing else { return }
    items.removeAll { $0.id == playing }
    self.playing = nil
  }

  /// Drops everything.
  ///
  /// - Returns: how many sentences were not said to their end.
  @discardableResult
  package mutating func clear() -> Int {
    defer { (items, playing) = ([], nil) }
    return items.count
  }

  private mutating func change(_ id: Item.ID, _ body: (inout Item) -> Void) {
    guard let place = items.firstIndex(where: { $0.id == id }) else { return }
    body(&items[place])
  }
}
