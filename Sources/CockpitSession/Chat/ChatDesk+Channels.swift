import CockpitChat
import CockpitFiles
import Networking
import TerminalCore

/// Channels: which there are, which is shown, and their sessions.
extension ChatDesk {
  func beginSession(_ change: (inout ChatChannelList, ChatChannel.ID) -> Void) {
    let id = current
    guard answers[id] == nil else {
      return say("an answer is under way in this channel; abort it first")
    }
    load(id)
    let before = list[id]?.version
    change(&list, id)
    guard let channel = list[id], channel.version != before else { return }
    let count = transcripts[id]?.entries.count
    transcripts[id]?.beginSession(channel.version, atMs: clock.wallMs)
    if let last = transcripts[id]?.entries.last, transcripts[id]?.entries.count != count {
      _ = isSaved(last, in: id)
    }
    saveList()
    say(PlainText("a new conversation: session v\(channel.version)"))
  }

  func choose(_ id: ChatChannel.ID) {
    guard list[id] != nil else { return }
    load(id)
    current = id
  }

  func add(_ name: String, _ agent: String?) {
    if let problem = list.problem { return say(PlainText(problem)) }
    open()
    let taken = files.flatMap { files in
      tried { () throws(FileError) in try files.conversations() }
    }
    let channel = list.add(name: name, source: source, agent: agent, taken: taken ?? [])
    saveList()
    choose(channel.id)
  }

  func delete(_ id: ChatChannel.ID) {
    let channels = list.channels(of: source)
    guard channels.count > 1, answers[id] == nil,
      let place = channels.firstIndex(where: { $0.id == id })
    else { return }
    list.remove(id)
    saveList()
    if id == current { choose(channels[place == 0 ? 1 : place - 1].id) }
    (transcripts[id], drafts[id], images[id]) = (nil, nil, nil)
    keep(queue: [], of: id)
    previews.forget(id)
    dirtyDrafts.remove(id)
    if let files { _ = tried { () throws(FileError) in try files.save(draft: "", of: id) } }
  }
}
