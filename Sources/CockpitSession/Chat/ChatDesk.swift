import CockpitChat
import CockpitFiles
import CockpitPanes
import CockpitVoice
import Networking
import Observation
import TerminalCore
import VoicePipeline

/// The conversations with the agents of one source: what is sent, what comes, and what of it is on the disk.
///
/// Nothing is read from the disk before the conversation is opened.
@MainActor
@Observable
package final class ChatDesk {
  var list: ChatChannelList
  var current: ChatChannel.ID
  var transcripts: [ChatChannel.ID: ChatTranscript] = [:]
  var agents = ChatBoard.Agents.unknown
  var images: [ChatChannel.ID: [ChatImage]] = [:]
  var previews = ChatPreviews()
  private(set) var diskProblem: String?
  @ObservationIgnored var drafts: [ChatChannel.ID: String] = [:]
  /// Messages for after the answer under way, oldest first.
  var queues: [ChatChannel.ID: [String]] = [:]
  @ObservationIgnored var answers: [ChatChannel.ID: any ChatAnswer] = [:]
  private var underWay: Set<ChatChannel.ID> = []
  /// Images of the last message, for another attempt at it.
  @ObservationIgnored private var sentImages: [ChatChannel.ID: [ChatImage]] = [:]
  /// Lines that the disk did not take; they come before later ones.
  @ObservationIgnored var unsaved: [(channel: ChatChannel.ID, line: [UInt8])] = []
  @ObservationIgnored var dirtyDrafts: Set<ChatChannel.ID> = []
  @ObservationIgnored private var draftTimer: (any LinkTimer)?
  @ObservationIgnored private var isOpen = false
  /// Whether the file names the channels: without that another source would take their conversations up.
  @ObservationIgnored var isListSaved = false

  /// Nil where nothing is spoken or heard.
  @ObservationIgnored var voice: VoicePipeline?
  /// Whether answers to typed messages are read aloud too.
  @ObservationIgnored var readsTyped = false
  /// The channel whose answer is read aloud.
  @ObservationIgnored var spokenChannel: ChatChannel.ID?

  @ObservationIgnored let backend: any ChatBackend
  @ObservationIgnored let source: String
  /// Nil where nothing is kept: a demo, or no state directory.
  @ObservationIgnored let files: ChatFolder?
  @ObservationIgnored let clock: any LinkClock
  @ObservationIgnored let makeKey: () -> String
  /// The agent of channels that name none, as far as the source says it.
  @ObservationIgnored let defaultAgent: () -> String?
  /// Says one line to the user.
  @ObservationIgnored package var say: (PlainText) -> Void = { _ in }
  /// Gives a text that was not sent back to the input.
  @ObservationIgnored package var giveBack: (String) -> Void = { _ in }

  /// A draft is on the disk after a pause of this length.
  private static let pauseNs = Nanoseconds.milliseconds(300)

  /// - Parameters:
  ///   - source: the address by which its channels are found again.
  ///   - defaultAgent: the agent of channels that name none, as far as the source says it now.
  ///   - makeKey: a text that is never the same twice.
  package init(
    _ backend: any ChatBackend, source: String, files: ChatFolder?, clock: any LinkClock,
    defaultAgent: @escaping () -> String? = { nil }, makeKey: @escaping () -> String
  ) {
    self.backend = backend
    self.source = source
    self.files = files
    self.clock = clock
    self.makeKey = makeKey
    self.defaultAgent = defaultAgent
    var list = ChatChannelList()
    current = list.add(name: "main", source: source, agent: nil).id
    self.list = list
  }

  // MARK: What is shown

  package var board: ChatBoard? {
    guard let channel = list[current] else { return nil }
    var board = ChatBoard(
      channels: list.channels(of: source), channel: channel,
      transcript: transcripts[current] ?? ChatTranscript(version: channel.version),
      abilities: backend.abilities)
    board.defaultAgent = defaultAgent()
    board.underWay = underWay
    board.agents = agents
    board.draft = drafts[current] ?? ""
    board.attachments = (images[current] ?? []).enumerated().map { place, image in
      ChatBoard.Attachment(
        name: image.name, bytes: image.bytes.count, preview: previews.preview(place, in: current))
    }
    board.queued = queues[current] ?? []
    board.previews = previews.sent(in: current)
    board.diskProblem = diskProblem
    board.voice = voice?.board
    return board
  }

  // MARK: Requests

  package func perform(_ request: ChatRequest) {
    switch request {
    case .open: open()
    case .send(let text): send(text)
    case .voice(let request): voice?.perform(request)
    case .abort: abort()
    case .retry: retry()
    case .newConversation: beginSession { $0.bumpVersion($1) }
    case .setAgent(let agent):
      beginSession { $0.setAgent($1, to: agent) }
    case .draft(let text): keep(draft: text)
    case .attach(let path): attach(path)
    case .detach:
      images[current] = nil
      previews.detach(in: current)
      say("no image is attached now")
    case .export(let path): export(path)
    case .askAgents: askAgents()
    case .signal(let signal): tell(signal)
    case .setModel(let name): setModel(name)
    case .setThinking(let level): change(.thinking(level))
    case .queue(let text): queue(text)
    case .sendQueued: sendQueued(in: current)
    case .dropQueued(let number): dropQueued(number)
    case .choose(let id): choose(id)
    case .add(let name, let agent): add(name, agent)
    case .rename(let id, let name):
      list.rename(id, to: name)
      saveList()
    case .delete(let id): delete(id)
    case .move(let id, let step):
      list.move(id, by: step)
      saveList()
    }
  }

  func open() {
    guard !isOpen else { return }
    isOpen = true
    readList()
    load(current)
    // The input was shown before the disk was read.
    if let draft = drafts[current] { giveBack(draft) }
  }

  private func readList() {
    guard let files else { return }
    guard let bytes = tried({ () throws(FileError) in try files.list() }) else { return }
    isListSaved = !bytes.isEmpty
    var read = ChatChannelList(bytes: bytes)
    if read.unreadable > 0 {
      say(PlainText("\(read.unreadable) lines of the list of channels could not be read"))
    }
    if read.channels(of: source).isEmpty {
      let taken = tried { () throws(FileError) in try files.conversations() } ?? []
      read.add(name: "main", source: source, agent: nil, taken: taken)
      isListSaved = false
    }
    list = read
    current = read.channels(of: source).first?.id ?? current
  }

  /// Reads a conversation and its draft, once.
  func load(_ id: ChatChannel.ID) {
    guard transcripts[id] == nil, let channel = list[id] else { return }
    transcripts[id] = ChatTranscript(version: channel.version)
    guard let files else { return }
    if let lines = tried({ () throws(FileError) in try files.lines(of: id) }), !lines.isEmpty {
      let transcript = ChatRecords.transcript(lines, version: channel.version)
      transcripts[id] = transcript
      // The list may be older than the conversation.
      while let version = list[id]?.version, version < transcript.version { list.bumpVersion(id) }
    }
    if let draft = tried({ () throws(FileError) in try files.draft(of: id) }), !draft.isEmpty {
      drafts[id] = draft
    }
    loadQueue(id)
  }

  // MARK: Sending

  func send(_ text: String) {
    guard let problem = problem(with: text, in: current, isSpoken: false) else { return }
    giveBack(text)
    say(problem)
  }

  /// Sends a text.
  ///
  /// - Parameter keepsDraft: whether what is typed stays as the draft: it is another text.
  /// - Returns: why it was not sent.
  func problem(
    with text: String, in id: ChatChannel.ID, isSpoken: Bool, keepsDraft: Bool = false
  ) -> PlainText? {
    guard answers[id] == nil, list[id] != nil else {
      return "an answer is under way in this channel"
    }
    let going = images[id] ?? []
    if let problem = ChatImage.problem(going) { return PlainText(problem.sentence, limit: 400) }
    load(id)
    let history = transcripts[id]?.history ?? []
    guard
      let entry = transcripts[id]?.send(
        text, images: going.map(\.name), idempotencyKey: makeKey(), atMs: clock.wallMs)
    else { return nil }
    sentImages[id] = going
    previews.send(entry.id, in: id)
    images[id] = nil
    let saved = isSaved(entry, in: id)
    if !keepsDraft {
      drafts[id] = nil
      if saved {
        dirtyDrafts.remove(id)
        if let files { _ = tried { () throws(FileError) in try files.save(draft: "", of: id) } }
      }
    }
    beginReading(in: id, isSpoken: isSpoken)
    ask(entry, history: history, images: going, in: id, isSpoken: isSpoken)
    return nil
  }

  private func retry() {
    let id = current
    guard answers[id] == nil else { return say("an answer is under way in this channel") }
    guard let transcript = transcripts[id], var entry = transcript.retryable else {
      return say("the last message has its answer; there is nothing to send again")
    }
    let going = sentImages[id] ?? []
    guard entry.images.count == going.count else {
      giveBack(entry.text)
      return say("the images of this message are not kept; attach them and send it again")
    }
    // A gateway answers a message once: only where the connection broke is the answer still to come.
    if case .failed(let failure)? = transcript.entries.last?.end, failure.kind != .connection {
      entry.idempotencyKey = makeKey()
    } else if transcript.entries.last?.end == .aborted {
      entry.idempotencyKey = makeKey()
    }
    transcripts[id]?.setKey(entry.idempotencyKey ?? makeKey(), of: entry.id)
    let history = transcript.history(before: entry.id)
    ask(entry, history: history, images: going, in: id)
  }

  private func ask(
    _ entry: ChatEntry, history: [ChatMessage], images: [ChatImage], in id: ChatChannel.ID,
    isSpoken: Bool = false
  ) {
    guard let channel = list[id], let answer = transcripts[id]?.beginAnswer(atMs: clock.wallMs)
    else { return }
    var turn = ChatTurn(
      agent: channel.agent, sessionKey: channel.sessionKey(defaultAgent: defaultAgent()),
      message: ChatMessage(.user, entry.text, images: images),
      history: backend.abilities.contains(.serverHistory) ? .server : .client(history),
      idempotencyKey: entry.idempotencyKey ?? makeKey())
    turn.isSpoken = isSpoken
    underWay.insert(id)
    answers[id] = backend.send(turn) { [self] event in take(event, answer, in: id) }
  }

  private func take(_ event: ChatEvent, _ answer: ChatEntry.ID, in id: ChatChannel.ID) {
    transcripts[id]?.apply(event, to: answer, atMs: clock.wallMs)
    read(event, answer, in: id)
    guard case .ended = event else { return }
    answers[id] = nil
    underWay.remove(id)
    if let entry = transcripts[id]?.entries.last(where: { $0.id == answer }) {
      _ = isSaved(entry, in: id)
    }
    if id != current, let name = list[id]?.name {
      say(PlainText("'\(name)' has an answer", limit: 100))
    }
    if case .ended(let end) = event { goOn(after: end, in: id) }
  }

  /// The session that messages of the shown channel go to.
  var sessionKey: String { list[current]?.sessionKey(defaultAgent: defaultAgent()) ?? "" }

  // MARK: Drafts

  private func keep(draft text: String) {
    drafts[current] = text.isEmpty ? nil : text
    if !text.isEmpty, backend.abilities.contains(.notes) { _ = backend.signal(.typing) }
    guard files != nil else { return }
    dirtyDrafts.insert(current)
    draftTimer?.cancel()
    draftTimer = clock.schedule(afterNs: Self.pauseNs) { [weak self] in self?.saveDrafts() }
  }

  private func saveDrafts() {
    // Before it was read, the list here is not that of the disk.
    guard let files, isOpen else { return }
    let wanted = dirtyDrafts
    dirtyDrafts = []
    if !isListSaved { saveList() }
    for id in wanted.sorted() {
      let text = drafts[id] ?? ""
      do throws(FileError) {
        try files.save(draft: text, of: id)
      } catch {
        dirtyDrafts.insert(id)
        note(error)
      }
    }
    if dirtyDrafts.isEmpty, unsaved.isEmpty { diskProblem = nil }
  }

  /// The program ends: what is under way goes on at the server, and what has come of it is kept.
  package func close() {
    voice?.close()
    draftTimer?.cancel()
    saveDrafts()
    let failure = ChatFailure(
      .connection, "The cockpit ended before this answer did; /retry looks for the rest of it.")
    for id in underWay.sorted() {
      guard let answer = transcripts[id]?.answer else { continue }
      transcripts[id]?.apply(.ended(.failed(failure)), to: answer.id, atMs: clock.wallMs)
      if let entry = transcripts[id]?.entries.last(where: { $0.id == answer.id }) {
        _ = isSaved(entry, in: id)
      }
    }
    underWay = []
  }

  // MARK: The disk

  /// Writes an entry, after what the disk did not take before; whether all of it is there.
  func isSaved(_ entry: ChatEntry, in id: ChatChannel.ID) -> Bool {
    guard let files else { return true }
    if !isListSaved { saveList() }
    unsaved += ChatRecords.lines(of: entry).map { (id, $0) }
    while let next = unsaved.first {
      do throws(FileError) {
        try files.append(next.line, to: next.channel)
        unsaved.removeFirst()
      } catch {
        note(error)
        return false
      }
    }
    diskProblem = nil
    return true
  }

  private func note(_ error: FileError) {
    diskProblem = "not kept on the disk, goes on in memory: \(error)"
  }

  /// The result, or nil after the problem was said.
  func tried<Value>(_ body: () throws(FileError) -> Value) -> Value? {
    do throws(FileError) {
      return try body()
    } catch {
      note(error)
      return nil
    }
  }
}
