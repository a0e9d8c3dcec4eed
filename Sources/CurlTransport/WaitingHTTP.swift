import CCurl
import Networking
import Synchronization

/// Requests whose callers wait for the answer, on any thread but the main one's: each on a connection of its own.
///
/// Certificates are checked as `CurlTransport` does; redirects are answers.
package final class WaitingHTTP: Sendable {
  /// What came of a request.
  package enum Reply: Sendable {
    case answer(HTTPHead, [UInt8])
    /// A sentence for the user without a full stop.
    case failed(String)
    case cancelled
  }

  private let trust: TrustAnchors?
  private let running = Mutex<[ObjectIdentifier: Call]>([:])

  /// - Parameter caFile: an additional trust anchor (PEM); the system's own stay valid.
  package init(caFile: String? = nil) throws(CurlTransport.Problem) {
    guard CurlTransport.isLibraryReady else { throw .unavailable }
    guard let caFile else {
      trust = nil
      return
    }
    do throws(TrustAnchors.Problem) {
      trust = try TrustAnchors(additional: caFile)
    } catch {
      switch error {
      case .unreadable(let reason): throw .caFileUnreadable(path: caFile, reason: reason)
      case .notPEM: throw .caFileNotPEM(path: caFile)
      }
    }
  }

  /// Sends a request and waits for the end of the answer.
  package func send(_ request: HTTPRequest) -> Reply {
    guard let call = Call() else { return .failed("there is no memory for a request") }
    running.withLock { $0[ObjectIdentifier(call)] = call }
    defer { _ = running.withLock { $0.removeValue(forKey: ObjectIdentifier(call)) } }
    return call.run(request, trust)
  }

  /// Ends the requests that run: they are answered with `cancelled`.
  package func cancel() {
    for call in running.withLock({ Array($0.values) }) { call.cancel() }
  }
}

/// One request.
///
/// `@unchecked Sendable`: the thread of `run` alone uses the handles; `cancel` uses the flag, which is behind a lock, and
/// `curl_multi_wakeup`, which libcurl allows from any thread while the handle lives, and that is as long as this object.
private final class Call: @unchecked Sendable {
  private let multi: UnsafeMutableRawPointer
  private let isCancelled = Mutex(false)
  private var collector = HeaderCollector()
  private var head: HTTPHead?
  private var body: [UInt8] = []
  private var limit = 0
  private var isTooLong = false

  /// nil if libcurl has no memory.
  init?() {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
  }

  deinit { curl_multi_cleanup(multi) }

  func cancel() {
    isCancelled.withLock { $0 = true }
    curl_multi_wakeup(multi)
  }

  func run(_ request: HTTPRequest, _ trust: TrustAnchors?) -> WaitingHTTP.Reply {
    guard let easy = curl_easy_init() else { return .failed("there is no memory for a request") }
    var headers = RequestHeaders()
    headers.build(request)
    defer {
      curl_easy_cleanup(easy)
      headers.wipe()
    }
    limit = request.maxBodyBytes
    let options = EasyOptions(easy: easy)
    options.apply(request, headers: headers, trust: trust, origin: nil)
    let me = Unmanaged.passUnretained(self).toOpaque()
    cc_set_data_callback(easy, CURLOPT_WRITEFUNCTION, bodyCallback)
    cc_set_pointer(easy, CURLOPT_WRITEDATA, me)
    cc_set_data_callback(easy, CURLOPT_HEADERFUNCTION, headerCallback)
    cc_set_pointer(easy, CURLOPT_HEADERDATA, me)
    guard options.succeeded, curl_multi_add_handle(multi, easy) == CURLM_OK else {
      return .failed("libcurl does not take the request")
    }
    defer { curl_multi_remove_handle(multi, easy) }
    var left: Int32 = 1
    while left > 0 {
      guard !isCancelled.withLock({ $0 }) else { return .cancelled }
      guard curl_multi_perform(multi, &left) == CURLM_OK else {
        return .failed("libcurl ended the request")
      }
      if left > 0 { curl_multi_poll(multi, nil, 0, 1000, nil) }
    }
    if isTooLong { return .failed("the answer is too long") }
    var messages: Int32 = 0
    guard let message = curl_multi_info_read(multi, &messages) else {
      return .failed("libcurl ended the request")
    }
    let code = message.pointee.data.result
    guard code == CURLE_OK, let head else { return .failed(Self.words(code)) }
    return .answer(head, body)
  }

  private static func words(_ code: CURLcode) -> String {
    switch code {
    case CURLE_COULDNT_CONNECT: "the connection is refused"
    case CURLE_COULDNT_RESOLVE_HOST: "the host is not known"
    case CURLE_OPERATION_TIMEDOUT: "no answer in time"
    default: curl_easy_strerror(code).map { String(cString: $0) } ?? "no answer"
    }
  }

  /// - Returns: whether libcurl should continue.
  fileprivate func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    switch collector.take(line) {
    case .more: return true
    case .tooLarge: return false
    case .complete(let head):
      self.head = head
      return true
    }
  }

  fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard body.count + bytes.count <= limit else {
      isTooLong = true
      return 0
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }
}

private let bodyCallback: cc_data_callback = { bytes, size, count, context in
  guard let context else { return 0 }
  return Unmanaged<Call>.fromOpaque(context).takeUnretainedValue()
    .takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let headerCallback: cc_data_callback = { bytes, size, count, context in
  guard let context else { return 0 }
  let goesOn = Unmanaged<Call>.fromOpaque(context).takeUnretainedValue()
    .takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return goesOn ? size * count : 0
}
