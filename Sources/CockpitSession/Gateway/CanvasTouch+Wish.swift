import CockpitDomain
import CockpitPanes
import Images

/// Why something cannot be done on a canvas: one sentence.
package struct CanvasProblem: Error, Hashable, Sendable {
  package var sentence: String
}

extension CanvasTouch {
  /// What a source is asked for what the screen asked; a drawing becomes a PNG file, beside the main thread.
  package static func made(of wish: CanvasWish) async -> Result<CanvasTouch, CanvasProblem> {
    switch wish {
    case .tap(let element, let seen, let x, let y):
      return .success(CanvasTouch(.tap, element: element, seen: seen, x: x, y: y))
    case .longPress(let element, let seen, let x, let y):
      return .success(CanvasTouch(.longPress, element: element, seen: seen, x: x, y: y))
    case .draw(let drawing, let element):
      return await OwnThread.run {
        Self.png(drawing).map { CanvasTouch(.draw(png: $0), element: element) }
      }
    }
  }

  static func png(_ drawing: CanvasDrawing) -> Result<[UInt8], CanvasProblem> {
    let image = drawing.image
    guard let picture = Picture(width: image.width, height: image.height, rgba: image.rgba) else {
      return .failure(CanvasProblem(sentence: "The drawing has no size; nothing was sent."))
    }
    return Result { () throws(PictureFailure) in try PictureFile.png(picture) }.mapError {
      failure in
      if case .noLibrary(let format) = failure {
        return CanvasProblem(
          sentence: "A drawing needs libpng to be sent as \(format.name): install it, then Enter.")
      }
      return CanvasProblem(sentence: failure.description)
    }
  }
}
