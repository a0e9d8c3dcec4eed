internal import CockpitVoice
internal import LenientJSON
internal import Networking

/// A stage under way that can be ended.
@MainActor
protocol VoiceTask: AnyObject {
  /// Ends it at once; nothing is called any more.
  func cancel()
}

/// One request to a speech service over HTTP, its body as it comes.
@MainActor
final class SpeechCall: VoiceTask, TransportDelegate {
  private let service: VoiceService
  private var task: (any TransportTask)?
  private var head: HTTPHead?
  private var refusal: [UInt8] = []
  private let onBody: ([UInt8]) -> Void
  private let done: (Result<Void, VoiceProblem>) -> Void
  private var isOver = false

  init(
    _ service: VoiceService, onBody: @escaping ([UInt8]) -> Void,
    done: @escaping (Result<Void, VoiceProblem>) -> Void
  ) {
    self.service = service
    self.onBody = onBody
    self.done = done
  }

  func start(_ request: HTTPRequest, on transport: any Transport) {
    task = transport.open(request, delegate: self)
  }

  func cancel() {
    isOver = true
    task?.cancel()
    task = nil
  }

  func transfer(_ task: any TransportTask, received head: HTTPHead) { self.head = head }

  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    guard !isOver else { return }
    if isRefused {
      refusal += bytes.prefix(max(0, 4_096 - refusal.count))
    } else {
      onBody(Array(bytes))
    }
  }

  func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    guard !isOver else { return }
    isOver = true
    self.task = nil
    if let error = end.error { return done(.failure(problem(error))) }
    done(isRefused ? .failure(refused) : .success(()))
  }

  private var isRefused: Bool { head.map { !(200...299).contains($0.status) } ?? false }

  private var refused: VoiceProblem {
    let status = head?.status ?? 0
    let name = "'\(service.name)'"
    switch status {
    case 401, 403:
      return VoiceProblem(
        "\(name) refused the key; set it with 'clanky-cockpit secrets set \(service.name)'")
    case 404:
      return VoiceProblem("\(name) has no such interface (404); check its url and model")
    case 413: return VoiceProblem("the recording is too long for \(name)")
    case 429:
      let wait = head?.value("retry-after").flatMap { Int($0) }.map { "; again in \($0) s" } ?? ""
      return VoiceProblem("\(name) takes no more requests for now (429)\(wait)")
    default:
      return VoiceProblem("\(name) failed with status \(status)\(words)")
    }
  }

  /// The service's own words, where it says them as OpenAI or ElevenLabs do.
  private var words: String {
    guard let json = try? refusal.withUnsafeBytes({ try JSONParser.parse($0) }),
      let fields = JSONFields(json)
    else { return "" }
    let inner =
      fields.nested("error", as: { JSONFields($0)?.string("message") })
      ?? fields.nested("detail", as: { JSONFields($0)?.string("message") })
      ?? fields.string("error", "detail", "message")
    return inner.map { " (\($0.prefix(160)))" } ?? ""
  }

  private func problem(_ error: TransportError) -> VoiceProblem {
    let name = "'\(service.name)'"
    switch error {
    case .refused: return VoiceProblem("\(name) is not running: its address refuses connections")
    case .unknownHost: return VoiceProblem("the host of \(name) was not found; check its url")
    case .timedOut: return VoiceProblem("\(name) did not answer in time")
    case .connectionLost: return VoiceProblem("the connection to \(name) broke")
    case .tooLarge: return VoiceProblem("the answer of \(name) is larger than speech can be")
    case .tls, .notTLS: return VoiceProblem("no safe connection to \(name) came about")
    default: return VoiceProblem("\(name) cannot be reached")
    }
  }
}
