import CockpitFiles
import CompanionWire
import Foundation
import OpenClawSource

/// What a gateway shows to let a device in: typed, pasted, or as a picture of its QR code.
package enum PairingText: Sendable, Equatable {
  /// Of an OpenClaw gateway.
  case setupCode(SetupCode)
  /// Of a companion gateway.
  case companion(PairingPayload)

  /// Why a text is neither. No message repeats the text: it may be a secret.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    case setupCode(SetupCode.Problem)
    case companion(PairingPayload.Problem)
    case image(QRImage.Problem)
    /// An image with a code that is for something else, and one with several that are for this.
    case otherCode, severalCodes

    package var description: String {
      switch self {
      case .setupCode(let problem): problem.description
      case .companion(let problem): problem.description
      case .image(let problem): problem.description
      case .otherCode:
        "The QR code in the image is no setup code and no pairing code. Take a picture of the one that the gateway shows."
      case .severalCodes:
        "The image shows several codes of gateways. Cut out the one that is meant."
      }
    }
  }

  /// Reads a setup code or its link, a pairing payload or its link, or the name of an image file with one of them as a
  /// QR code. The image is read by a program, for up to ten seconds: not on the main thread.
  ///
  /// - Parameters:
  ///   - nowMs: ms since 1970, to refuse a setup code that has expired.
  ///   - environment: where programs are looked for.
  package static func read(
    _ argument: String, nowMs: Int64, environment: [String: String]
  ) throws(Problem) -> PairingText {
    let text = argument.trimmingCharacters(in: .whitespacesAndNewlines)
    guard isFile(text) else { return try parse(text, nowMs: nowMs) }
    let codes: String
    switch QRImage.text(text, environment: environment) {
    case .success(let found): codes = found
    case .failure(let problem): throw .image(problem)
    }
    return try single(in: codes, nowMs: nowMs)
  }

  /// The same of a code alone, never of a file.
  package static func code(_ text: String, nowMs: Int64) throws(Problem) -> PairingText {
    try parse(text.trimmingCharacters(in: .whitespacesAndNewlines), nowMs: nowMs)
  }

  /// The one code of a gateway among those of an image.
  static func single(in codes: String, nowMs: Int64) throws(Problem) -> PairingText {
    // A payload may contain line breaks.
    if let whole = try? parse(codes, nowMs: nowMs) { return whole }
    var found: [PairingText] = []
    var problem: Problem?
    for line in Set(codes.split(whereSeparator: \.isNewline)) {
      do throws(Problem) {
        let pairing = try parse(String(line), nowMs: nowMs)
        if !found.contains(pairing) { found.append(pairing) }
      } catch {
        if error == .setupCode(.expired) { problem = error }
      }
    }
    guard found.count <= 1 else { throw .severalCodes }
    guard let only = found.first else { throw problem ?? .otherCode }
    return only
  }

  /// Both kinds have the same link, and differ in what is in it.
  private static func parse(_ text: String, nowMs: Int64) throws(Problem) -> PairingText {
    let companion = Result { () throws(PairingPayload.Problem) in try PairingPayload(text) }
    if case .success(let payload) = companion { return .companion(payload) }
    let code = Result { () throws(SetupCode.Problem) in try SetupCode(text, nowMs: nowMs) }
    switch (code, companion) {
    case (.success(let code), _): return .setupCode(code)
    case (_, .failure(let problem)) where text.hasPrefix("{"): throw .companion(problem)
    // A link whose content is JSON with members of a payload.
    case (.failure(.noAddress), .failure(let problem)) where problem != .endpoint:
      throw .companion(problem)
    case (.failure(let problem), _): throw .setupCode(problem)
    }
  }

  /// Whether a text names a file, and is no code: one has neither a dot nor a slash at its beginning. What is
  /// written as a path is one, even if nothing is there.
  private static func isFile(_ text: String) -> Bool {
    if text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") { return true }
    let endings = [".png", ".jpg", ".jpeg", ".webp", ".gif", ".pnm", ".ppm", ".pgm", ".pbm"]
    return endings.contains { text.lowercased().hasSuffix($0) }
  }
}
