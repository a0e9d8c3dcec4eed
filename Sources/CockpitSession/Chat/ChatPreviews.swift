import CockpitChat
import CockpitPanes

/// Previews of the images that go with messages: of those to be sent, and of those that were sent in this run. Images
/// are decoded beside the main thread; until then a preview is missing.
struct ChatPreviews {
  private struct Slot {
    let id: Int
    var preview: ImagePreview?
  }

  private var going: [ChatChannel.ID: [Slot]] = [:]
  private var sent: [ChatChannel.ID: [(entry: ChatEntry.ID, slots: [Slot])]] = [:]
  private var nextID = 0

  /// Messages of a channel whose pictures are kept.
  private static let maximum = 64

  /// An image is attached.
  ///
  /// - Returns: the id to pass to `take`.
  mutating func attach(in channel: ChatChannel.ID) -> Int {
    nextID += 1
    going[channel, default: []].append(Slot(id: nextID))
    return nextID
  }

  mutating func detach(in channel: ChatChannel.ID) { going[channel] = nil }

  mutating func send(_ entry: ChatEntry.ID, in channel: ChatChannel.ID) {
    guard let slots = going.removeValue(forKey: channel), !slots.isEmpty else { return }
    sent[channel, default: []].append((entry, slots))
    if let count = sent[channel]?.count, count > Self.maximum { sent[channel]?.removeFirst() }
  }

  mutating func forget(_ channel: ChatChannel.ID) { (going[channel], sent[channel]) = (nil, nil) }

  /// An image was decoded, wherever it is by now.
  mutating func take(_ preview: ImagePreview, of id: Int) {
    for (channel, slots) in going {
      if let place = slots.firstIndex(where: { $0.id == id }) {
        going[channel]?[place].preview = preview
        return
      }
    }
    for (channel, messages) in sent {
      for (number, message) in messages.enumerated() {
        guard let place = message.slots.firstIndex(where: { $0.id == id }) else { continue }
        sent[channel]?[number].slots[place].preview = preview
        return
      }
    }
  }

  /// Of an image that is to be sent, by its place.
  func preview(_ place: Int, in channel: ChatChannel.ID) -> ImagePreview? {
    guard let slots = going[channel], slots.indices.contains(place) else { return nil }
    return slots[place].preview
  }

  /// Of messages that were sent.
  func sent(in channel: ChatChannel.ID) -> [ChatEntry.ID: [ImagePreview]] {
    var previews: [ChatEntry.ID: [ImagePreview]] = [:]
    for message in sent[channel] ?? [] {
      let known = message.slots.compactMap(\.preview)
      if !known.isEmpty { previews[message.entry] = known }
    }
    return previews
  }
}
