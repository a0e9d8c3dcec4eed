import CockpitDomain
import CockpitPanes
import CockpitStores
import Observation

/// Previews of images that a gateway's tools answered with, decoded beside the main thread.
@MainActor
@Observable
final class ScreenshotPreviews {
  private(set) var previews: [GatewayLookup: ImagePreview] = [:]
  /// When the images came that were decoded, or are being decoded.
  @ObservationIgnored private var known: [GatewayLookup: Int64] = [:]

  /// Decodes what is new; to be called before a frame.
  func follow(_ findings: GatewayFindings) {
    for (lookup, picture, atMs) in findings.pictures where known[lookup] != atMs {
      known[lookup] = atMs
      let bytes = picture.bytes
      Task { [weak self] in
        let preview = await OwnThread.run {
          ImagePreview(decoding: bytes, cells: ImagePreview.ofScreen)
        }
        // A newer one may have come meanwhile.
        if self?.known[lookup] == atMs { self?.previews[lookup] = preview }
      }
    }
  }
}
