import CockpitChat
import CockpitFiles
import LenientJSON
import TerminalCore

/// Messages that wait for the answer under way. They are on the disk until they are sent.
extension ChatDesk {
  private static let longestQueue = 50

  func queue(_ text: String) {
    guard answers[current] != nil else { return send(text) }
    var queue = queues[current] ?? []
    guard queue.count < Self.longestQueue else {
      giveBack("/queue " + text)
      return say(PlainText("\(queue.count) messages are queued already; drop or send some first"))
    }
    queue.append(text)
    keep(queue: queue, of: current)
    say(PlainText("queued: \(queue.count) for after the answer"))
  }

  func dropQueued(_ number: Int?) {
    var queue = queues[current] ?? []
    guard let number else {
      keep(queue: [], of: current)
      return say(PlainText("\(queue.count) queued messages dropped"))
    }
    guard queue.indices.contains(number - 1) else {
      return say(PlainText("there is no queued message \(number); /queue lists them"))
    }
    queue.remove(at: number - 1)
    keep(queue: queue, of: current)
    say("dropped from the queue")
  }

  /// Sends the oldest queued message; the next one follows its answer.
  func sendQueued(in id: ChatChannel.ID) {
    guard answers[id] == nil else { return say("an answer is under way in this channel") }
    var queue = queues[id] ?? []
    guard !queue.isEmpty else { return say("nothing is queued") }
    let first = queue.removeFirst()
    // Only what was taken leaves the queue.
    if let problem = problem(with: first, in: id, isSpoken: false, keepsDraft: true) {
      say(problem)
    } else {
      keep(queue: queue, of: id)
    }
  }

  /// After an answer the next queued message is sent; after one that failed the queue waits for the user.
  func goOn(after end: ChatEnd, in id: ChatChannel.ID) {
    guard let queue = queues[id], !queue.isEmpty else { return }
    guard end == .completed else {
      return say(PlainText("\(queue.count) queued messages wait; /queue send sends them"))
    }
    sendQueued(in: id)
  }

  func keep(queue: [String], of id: ChatChannel.ID) {
    queues[id] = queue.isEmpty ? nil : queue
    let text =
      queue.isEmpty ? "" : JSONValue.array(queue.map(JSONValue.string)).serialized()
    guard let files else { return }
    _ = tried { () throws(FileError) in try files.save(draft: text, of: Self.file(id)) }
  }

  func loadQueue(_ id: ChatChannel.ID) {
    guard let files,
      let text = tried({ () throws(FileError) in try files.draft(of: Self.file(id)) }),
      !text.isEmpty, let list = (try? JSONValue.parse(Array(text.utf8)))?.array
    else { return }
    queues[id] = list.prefix(Self.longestQueue).compactMap(\.string)
  }

  /// Beside the draft of the channel; no id of a channel has this character.
  private static func file(_ id: ChatChannel.ID) -> String { id + "_queue" }
}
