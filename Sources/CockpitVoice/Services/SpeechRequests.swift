package import LenientJSON
package import Networking

/// Requests to speech services over HTTP, and what comes back.
package enum SpeechRequests {
  /// OpenAI takes 25 MB; 30 s are 1 MB.
  private static let answerLimit = 1 << 20
  /// 3 minutes of 24 kHz.
  package static let audioLimit = 16 << 20
  /// OpenAI's limit of a text, in characters.
  package static let longestInput = 4_096

  /// A transcription.
  ///
  /// - Parameters:
  ///   - wav: a whole file.
  ///   - boundary: does not occur in the file.
  ///   - key: the secret of the service; nil where it wants none.
  /// - Returns: nil for a service that is not asked over HTTP.
  package static func transcription(
    _ service: VoiceService, wav: [UInt8], boundary: String, key: String?
  ) -> HTTPRequest? {
    var form = MultipartForm(boundary: boundary)
    let (base, path): (BackendURL, [String])
    switch service.kind {
    case .openAI(let url):
      (base, path) = (url, versioned(url, ["audio", "transcriptions"]))
      form.add("model", service.model ?? "whisper-1")
      form.add("response_format", "json")
      if let language = service.language { form.add("language", language) }
    case .elevenLabs(let url):
      (base, path) = (url, versioned(url, ["speech-to-text"]))
      form.add("model_id", service.model ?? "scribe_v1")
      if let language = service.language { form.add("language_code", language) }
    case .command, .gateway: return nil
    }
    form.add("file", fileName: "speech.wav", type: "audio/wav", wav)
    return HTTPRequest(
      method: .post, base: base, target: RequestTarget(path), purpose: .rest, token: nil,
      headers: [HTTPHeader("Content-Type", form.contentType)] + secret(service, key),
      body: form.finish(),
      timeouts: HTTPTimeouts(headersMs: 60_000, totalMs: 90_000), maxBodyBytes: answerLimit)
  }

  /// Text of a transcription; nil where the answer has none.
  package static func text(_ body: [UInt8]) -> String? {
    guard let json = try? body.withUnsafeBytes({ try JSONParser.parse($0) }),
      let fields = JSONFields(json)
    else { return nil }
    return fields.string("text")
  }

  /// A synthesis, whose answer is a stream of s16le samples.
  package static func speech(
    _ service: VoiceService, text: String, key: String?
  ) -> HTTPRequest? {
    let (base, target, body): (BackendURL, RequestTarget, JSONValue)
    switch service.kind {
    case .openAI(let url):
      (base, target) = (url, RequestTarget(versioned(url, ["audio", "speech"])))
      body = .body([
        ("model", .string(service.model ?? "gpt-4o-mini-tts")), ("input", .string(text)),
        ("voice", .string(service.voice ?? "alloy")), ("response_format", .string("pcm")),
      ])
    case .elevenLabs(let url):
      let voice = service.voice ?? "21m00Tcm4TlvDq8ikWAM"
      base = url
      target = RequestTarget(
        versioned(url, ["text-to-speech", voice, "stream"]),
        query: [RequestTarget.QueryItem("output_format", "pcm_\(service.rawRate ?? 24_000)")])
      body = .body([
        ("text", .string(text)), ("model_id", .string(service.model ?? "eleven_flash_v2_5")),
      ])
    case .command, .gateway: return nil
    }
    return HTTPRequest(
      method: .post, base: base, target: target, purpose: .rest, token: nil,
      headers: secret(service, key), body: Array(body.serialized().utf8),
      timeouts: HTTPTimeouts(headersMs: 30_000, totalMs: 120_000), maxBodyBytes: audioLimit)
  }

  private static func secret(_ service: VoiceService, _ key: String?) -> [HTTPHeader] {
    guard let key else { return [] }
    if case .elevenLabs = service.kind { return [HTTPHeader("xi-api-key", key)] }
    return [HTTPHeader("Authorization", "Bearer " + key)]
  }

  /// Addresses are given with or without `/v1`.
  private static func versioned(_ url: BackendURL, _ path: [String]) -> [String] {
    url.basePath.hasSuffix("/v1") ? path : ["v1"] + path
  }

  /// The audio of a gateway's `tts.speak`, `{audioBase64}`.
  package static func audio(ofGateway answer: JSONValue) -> [UInt8]? {
    JSONFields(answer)?.string("audioBase64").flatMap(Base64Text.decoded)
  }
}

/// A body of `multipart/form-data` (RFC 7578).
package struct MultipartForm: Sendable {
  package let boundary: String
  private var bytes: [UInt8] = []

  package init(boundary: String) { self.boundary = boundary }

  package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  package mutating func add(_ name: String, _ value: String) {
    bytes += Array(
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
  }

  package mutating func add(_ name: String, fileName: String, type: String, _ file: [UInt8]) {
    let head =
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\n"
      + "Content-Type: \(type)\r\n\r\n"
    bytes += Array(head.utf8) + file + [13, 10]
  }

  package func finish() -> [UInt8] { bytes + Array("--\(boundary)--\r\n".utf8) }
}

/// Base64 with or without padding (RFC 4648, 4).
package enum Base64Text {
  /// Nil for anything else.
  package static func decoded(_ text: String) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count / 4 * 3)
    var (bits, count) = (UInt32(0), 0)
    for byte in text.utf8 {
      let value: UInt8
      switch byte {
      case 0x41...0x5A: value = byte - 0x41
      case 0x61...0x7A: value = byte - 0x61 + 26
      case 0x30...0x39: value = byte - 0x30 + 52
      case 0x2B: value = 62
      case 0x2F: value = 63
      case 0x3D, 0x0A, 0x0D: continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count == 4 {
        output += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
        (bits, count) = (0, 0)
      }
    }
    switch count {
    case 0: return output
    case 2: return output + [UInt8(bits >> 4 & 255)]
    case 3: return output + [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
    default: return nil
    }
  }
}
