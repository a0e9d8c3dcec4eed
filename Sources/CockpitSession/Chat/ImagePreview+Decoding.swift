import CockpitPanes
import Images
import TerminalCore

extension ImagePreview {
  /// Cells of the preview of a message's image: `ImageStrip.largest` and what wide screens may show of it later.
  package static let ofMessage = Size(width: 48, height: 8)
  /// Cells of a screenshot that fills a screen.
  package static let ofScreen = Size(width: 200, height: 64)

  /// Decodes an image of any content: a picture of at most `cells`, or the reason why there is none. It takes up to a
  /// second, so it does not belong on the main thread.
  package init(decoding bytes: [UInt8], cells: Size) {
    self.init()
    do throws(PictureFailure) {
      let picture = try PictureFile.decode(bytes, side: max(cells.width, cells.height * 2) * 2)
      (width, height) = (picture.sourceWidth, picture.sourceHeight)
      isCut = picture.isCut
      let whole = PixelGrid(
        width: picture.width, height: picture.height, colors: picture.colors())
      let size = whole?.cells(in: cells)
      grid = size.flatMap { whole?.scaled(width: $0.width, height: $0.height * 2) }
    } catch {
      problem = error.description
    }
  }
}
