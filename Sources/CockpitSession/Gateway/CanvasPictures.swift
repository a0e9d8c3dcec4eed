import CockpitPanes
import CockpitStores
import CockpitVoice
import Images
import Observation
import TerminalCore

/// The pictures of a canvas, decoded beside the main thread, one after the other.
@MainActor
@Observable
final class CanvasPictures {
  /// By `CanvasElement.pictureKey`.
  private(set) var previews: [Int: ImagePreview] = [:]
  @ObservationIgnored private var wanted: [(key: Int, content: String)] = []
  @ObservationIgnored private var isBusy = false

  /// The most pictures that are kept at once: each takes at most 100 kB.
  static let maximum = 32

  /// Decodes what is new and forgets what is gone; to be called before a frame.
  func follow(_ board: CanvasBoard) {
    var keys: Set<Int> = []
    wanted = []
    for element in board.elements {
      guard let key = element.pictureKey, let picture = element.picture,
        keys.insert(key).inserted, previews[key] == nil,
        CanvasDataURI(picture)?.omittedBytes == nil
      else { continue }
      wanted.append((key, picture))
    }
    if previews.keys.contains(where: { !keys.contains($0) }) {
      previews = previews.filter { keys.contains($0.key) }
    }
    decodeNext()
  }

  private func decodeNext() {
    guard !isBusy, let (key, content) = wanted.first else { return }
    wanted.removeFirst()
    guard previews.count < Self.maximum else {
      previews[key] = ImagePreview(
        problem: "not decoded: more than \(Self.maximum) pictures on one canvas")
      return decodeNext()
    }
    isBusy = true
    Task { [weak self] in
      let preview = await OwnThread.run { Self.decoded(content) }
      self?.isBusy = false
      self?.previews[key] = preview
      self?.decodeNext()
    }
  }

  /// The picture of a `data:` URI; its size is bounded.
  nonisolated static func decoded(_ content: String) -> ImagePreview {
    guard let uri = CanvasDataURI(content) else {
      return ImagePreview(problem: "This is no image in base64.")
    }
    guard uri.payload.utf8.count <= PictureFile.maxBytes,
      let bytes = Base64Text.decoded(String(uri.payload))
    else { return ImagePreview(problem: "The image is no base64.") }
    return ImagePreview(decoding: bytes, cells: ImagePreview.ofScreen)
  }
}
