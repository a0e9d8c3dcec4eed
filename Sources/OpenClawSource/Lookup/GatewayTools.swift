internal import LenientJSON
package import Networking

/// Tools of a gateway that are called over HTTP (contract 12.3). The profile's shared secret opens them.
@MainActor
package final class GatewayTools {
  private let base: BackendURL
  private let secret: String?
  private let headers: [HTTPHeader]
  private let transport: any Transport
  private var calls: [ObjectIdentifier: Call] = [:]

  /// A search may have to load its model first.
  private static let timeouts = HTTPTimeouts(headersMs: 60_000, totalMs: 60_000)

  /// - Parameters:
  ///   - secret: the token or the password; a device token does not open HTTP.
  ///   - headers: those of the owner.
  package init(
    base: BackendURL, secret: String?, headers: [HTTPHeader] = [],
    transport: any Transport
  ) {
    self.base = base
    self.secret = secret
    self.headers = headers
    self.transport = transport
  }

  /// - Parameters:
  ///   - isPicture: whether the answer is an image; `done` then gets the document of `ToolFailure.picture`.
  ///   - done: gets `result.details` of the answer, or the reason why there is none.
  func call(
    _ tool: String, agent: String, _ arguments: [(key: String, value: JSONValue?)],
    isPicture: Bool = false, done: @escaping @MainActor (Result<JSONValue, ToolFailure>) -> Void
  ) {
    guard let secret else { return done(.failure(.noSecret)) }
    let body = JSONValue.body([
      ("tool", .string(tool)), ("agentId", .string(agent)), ("args", .body(arguments)),
    ])
    let request = HTTPRequest(
      method: .post, base: base, target: RequestTarget(["tools", "invoke"]), purpose: .rest,
      token: nil, headers: headers + [HTTPHeader("Authorization", "Bearer \(secret)")],
      body: Array(body.serialized().utf8), timeouts: Self.timeouts, maxBodyBytes: 12 << 20)
    let call = Call(isPicture: isPicture) { [weak self] call, result in
      self?.calls[ObjectIdentifier(call)] = nil
      done(result)
    }
    calls[ObjectIdentifier(call)] = call
    call.task = transport.open(request, delegate: call)
  }

  /// Nothing is called back any more.
  func cancel() {
    for call in calls.values { call.task?.cancel() }
    calls = [:]
  }

  private final class Call: TransportDelegate {
    var task: (any TransportTask)?
    private var status = 0
    private var body: [UInt8] = []
    private let done: @MainActor (Call, Result<JSONValue, ToolFailure>) -> Void

    private let isPicture: Bool

    init(
      isPicture: Bool, _ done: @escaping @MainActor (Call, Result<JSONValue, ToolFailure>) -> Void
    ) {
      self.isPicture = isPicture
      self.done = done
    }

    func transfer(_ task: any TransportTask, received head: HTTPHead) { status = head.status }

    func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
      body.append(contentsOf: bytes)
    }

    func transfer(_ task: any TransportTask, ended end: TransportEnd) {
      guard end.error == nil else { return done(self, .failure(.unreachable)) }
      done(self, ToolFailure.read(status: status, body, isPicture: isPicture))
    }
  }
}

/// Why a tool has no result.
enum ToolFailure: Error, Equatable, CustomStringConvertible {
  case noSecret
  case unreachable
  case unauthorized
  case rateLimited
  /// Unknown to this gateway, or denied to the caller.
  case noTool
  case switchedOff
  /// An answer without an image.
  case noPicture
  /// The gateway's words: remote text.
  case refused(status: Int, String)
  case unreadable

  var description: String {
    switch self {
    case .noSecret:
      "This goes over HTTP, which only the gateway's token or password opens; put token_file or token_command into the profile."
    case .unreachable: "The gateway did not answer over HTTP; try again with r."
    case .unauthorized:
      "The gateway refused the token over HTTP. Put the right one into the profile."
    case .rateLimited: "The gateway takes no more attempts for now; try again in a few minutes."
    case .noTool:
      "The gateway does not have this tool for this agent, or does not allow it; see tools.profile, tools.allow and tools.deny in its configuration."
    case .switchedOff:
      "The gateway does not serve /tools/invoke; check whether a proxy in front of it leaves the path out."
    case .refused(let status, let words):
      "The gateway refused (status \(status)\(words.isEmpty ? "" : ": \(words)")); look at its log."
    case .noPicture:
      "The gateway's answer has no image; its browser may have no page open."
    case .unreadable: "The gateway's answer could not be read; its version may be another one."
    }
  }

  static func read(
    status: Int, _ body: [UInt8], isPicture: Bool = false
  ) -> Result<JSONValue, ToolFailure> {
    let json = try? JSONValue.parse(body)
    switch status {
    case 200...299:
      guard let result = json?["result"] else { return .failure(.unreadable) }
      if isPicture { return picture(result).map(Result.success) ?? .failure(.noPicture) }
      if let details = result["details"], details.object != nil { return .success(details) }
      // Tools without details say the same as text.
      let text = result["content"]?.array?.first?["text"]?.string ?? ""
      guard let details = try? JSONValue.parse(Array(text.utf8)), details.object != nil else {
        return .failure(.unreadable)
      }
      return .success(details)
    case 401: return .failure(.unauthorized)
    case 404:
      return .failure(json?["error"]?["type"]?.string == "not_found" ? .noTool : .switchedOff)
    case 429: return .failure(.rateLimited)
    default:
      return .failure(
        .refused(status: status, String((json?["error"]?["message"]?.string ?? "").prefix(400))))
    }
  }

  /// The details of a result and its first image, in base64; nil if it has none.
  private static func picture(_ result: JSONValue) -> JSONValue? {
    let image = (result["content"]?.array ?? []).first { $0["type"]?.string == "image" }
    guard let data = image?["data"]?.string, !data.isEmpty else { return nil }
    return .body([
      ("result", result["details"] ?? .body([])), ("image", .string(data)),
      ("mimeType", image?["mimeType"]),
    ])
  }
}
