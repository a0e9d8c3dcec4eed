import Children
import CockpitFiles
import Foundation

/// QR codes in an image file, read by `zbarimg` where it is installed.
package enum QRImage {
  /// Why no code was read.
  package enum Problem: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case missing, tooLarge, format, noProgram, failed, timedOut, noCode

    package var description: String {
      switch self {
      case .missing: "There is no such image file. Check its name."
      case .tooLarge: "The image file is larger than 16 MiB. Cut the code out of it."
      case .format: "The file is no PNG, JPEG, WebP, GIF or PNM image. Save it as PNG."
      case .noProgram:
        "Reading an image needs zbarimg. Install it (apt install zbar-tools, brew install zbar), or paste the code."
      case .failed: "zbarimg could not read the image. Save it as PNG, or paste the code."
      case .timedOut: "zbarimg took longer than 10 seconds. Cut the code out of the image."
      case .noCode: "There is no readable QR code in the image. Take a sharper picture of it alone."
      }
    }
  }

  private static let limit = 16 << 20
  private static let patience = Duration.seconds(10)

  /// The texts of all codes in it, as zbarimg writes them: each followed by a line end. Takes up to ten seconds.
  package static func text(
    _ path: String, environment: [String: String]
  ) -> Result<String, Problem> {
    let path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    guard let size = size(path) else { return .failure(.missing) }
    guard size <= limit else { return .failure(.tooLarge) }
    guard let format = format(path) else { return .failure(.format) }
    guard let program = Program.find("zbarimg", environment: environment) else {
      return .failure(.noProgram)
    }
    // The format stands before the name: ImageMagick, which reads the file for zbarimg, would guess it, and some of
    // those that it knows are scripts.
    let helper = HelperProgram(
      path: program,
      arguments: ["-q", "--raw", "-Sdisable", "-Sqrcode.enable", "\(format):\(path)"],
      environment: environment)
    do throws(HelperProgram.Problem) {
      let answer = try helper.run(patience: patience)
      switch answer.status {
      case 0: return .success(String(decoding: answer.output, as: UTF8.self))
      case 4: return .failure(.noCode)
      default: return .failure(.failed)
      }
    } catch {
      switch error {
      case .notStarted: return .failure(.failed)
      case .timedOut: return .failure(.timedOut)
      }
    }
  }

  /// Bytes of a regular file.
  private static func size(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// ImageMagick's name of the format that the first bytes tell.
  private static func format(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path),
      let head = try? file.read(upToCount: 12)
    else { return nil }
    let bytes = [UInt8](head)
    func begins(_ wanted: [UInt8]) -> Bool { bytes.starts(with: wanted) }
    if begins([0x89, 0x50, 0x4E, 0x47]) { return "png" }
    if begins([0xFF, 0xD8, 0xFF]) { return "jpeg" }
    if begins(Array("GIF8".utf8)) { return "gif" }
    if begins(Array("RIFF".utf8)), bytes.dropFirst(8).elementsEqual("WEBP".utf8) { return "webp" }
    if bytes.count > 2, bytes[0] == UInt8(ascii: "P"),
      (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[1])
    {
      return "pnm"
    }
    return nil
  }
}
