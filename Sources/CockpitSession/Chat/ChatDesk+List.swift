import CockpitChat
import CockpitFiles

/// The list of channels on the disk, which the conversations of all sources share.
extension ChatDesk {
  /// Writes the channels of this source, and leaves those of others as they are by now: another program may have
  /// changed them.
  func saveList() {
    guard let files else { return }
    let own = list.channels(of: source)
    let saved: Void? = tried { () throws(FileError) in
      let others = ChatChannelList(bytes: try files.list()).channels.filter { $0.source != source }
      let ids = Set(own.map(\.id))
      let merged = ChatChannelList(others.filter { !ids.contains($0.id) } + own)
      try files.save(list: merged.bytes)
    }
    if saved != nil { isListSaved = true }
  }
}
