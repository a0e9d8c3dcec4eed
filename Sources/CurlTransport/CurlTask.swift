import CCurl
import Networking

/// One transfer, redirects within the origin included.
@MainActor
final class CurlTask: CurlHandle, TransportTask {
  /// Same-origin redirects that are followed.
  static let maximumRedirects = 5
  /// Body of a redirect that is read in order to reuse nothing of it.
  private static let redirectBodyLimit = 256 << 10
  static let silentProxy = "it took the connection and did not answer in time"

  let request: HTTPRequest
  private(set) var easy: UnsafeMutableRawPointer?
  private weak var transport: CurlTransport?
  private var delegate: (any TransportDelegate)?
  private var headers = RequestHeaders()
  private(set) var errorText: UnsafeMutablePointer<CChar>?
  private var collector = HeaderCollector()
  private var headerTimer: (any LinkTimer)?
  private var bodyBytes = 0
  private var redirects = 0
  private var isRedirect = false
  let leaf: LeafPin?
  private(set) var tunnel: String?
  private var hasHead = false
  private var isPaused = false
  /// libcurl withholds a chunk because we paused it.
  private var isHeldByLibrary = false
  /// Why we aborted libcurl; overrides its own error.
  private var verdict: TransportError?
  private(set) var isOver = false
  /// The server accepted the connection.
  var isTaken = false

  init(request: HTTPRequest, delegate: any TransportDelegate, transport: CurlTransport) {
    self.request = request
    self.delegate = delegate
    self.transport = transport
    leaf = request.base.scheme == .https ? request.fingerprint.map(LeafPin.init) : nil
  }

  // MARK: TransportTask

  func cancel() {
    guard !isOver else { return }
    isOver = true
    delegate = nil
    headerTimer?.cancel()
    headerTimer = nil
    transport?.whenIdle { [weak transport] in transport?.release(self) }
  }

  func pause() { isPaused = true }

  func resume() {
    guard isPaused else { return }
    isPaused = false
    transport?.whenIdle { [weak transport] in
      guard !self.isPaused, self.isHeldByLibrary, !self.isOver else { return }
      self.isHeldByLibrary = false
      transport?.unpause(self)
    }
  }

  // MARK: Life

  /// Makes the handle; false when libcurl cannot.
  func prepare(trust: TrustAnchors?, origin: OriginTLS?, socket: String?) -> Bool {
    tunnel = socket
    guard let transport, let easy = curl_easy_init() else { return false }
    self.easy = easy
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.errorText = errorText
    headers.build(request)
    let options = EasyOptions(easy: easy)
    options.apply(request, headers: headers, trust: trust, origin: origin)
    if let socket { options.apply(socket: socket) }
    if let leaf { options.apply(leaf, isAlone: false) }
    cc_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    cc_set_close_callback(
      easy, CurlTransport.closeCallback, Unmanaged.passUnretained(transport).toOpaque())
    let me = Unmanaged.passUnretained(self).toOpaque()
    cc_set_data_callback(easy, CURLOPT_WRITEFUNCTION, bodyCallback)
    cc_set_pointer(easy, CURLOPT_WRITEDATA, me)
    cc_set_data_callback(easy, CURLOPT_HEADERFUNCTION, headerCallback)
    cc_set_pointer(easy, CURLOPT_HEADERDATA, me)
    guard options.succeeded else {
      destroy()
      return false
    }
    let limit = UInt64(max(1, request.timeouts.headersMs))
    headerTimer = transport.clock.schedule(afterNs: Nanoseconds.milliseconds(limit)) {
      [weak self] in
      self?.headersAreLate()
    }
    return true
  }

  /// Reports a failure from outside `open`.
  func failSoon(_ error: TransportError) {
    headerTimer = transport?.clock.schedule(afterNs: 0) { [weak self] in
      self?.end(TransportEnd(error: error, requestWasSent: false))
    }
  }

  /// Frees the handle and wipes the memory that held the token.
  func destroy() {
    if let easy { curl_easy_cleanup(easy) }
    easy = nil
    headers.wipe()
    errorText?.deallocate()
    errorText = nil
  }

  private func headersAreLate() {
    guard !isOver else { return }
    verdict = isAtProxy ? .proxy(Self.silentProxy) : .timedOut(phaseBeforeHead)
    transport?.whenIdle { [self] in finished(CURLE_OPERATION_TIMEDOUT) }
  }

  /// libcurl is done with the handle, or we are.
  func finished(_ code: CURLcode) {
    guard !isOver else {
      transport?.release(self)
      return
    }
    if verdict == nil, isRedirect, code == CURLE_OK || code == CURLE_WRITE_ERROR {
      if follow() { return }
    }
    let error = verdict ?? CurlError(code: code, task: self).transportError
    let sent = transferLong(CURLINFO_REQUEST_SIZE) > 0
    transport?.release(self)
    end(TransportEnd(error: error, requestWasSent: sent))
  }

  private func end(_ end: TransportEnd) {
    guard !isOver else { return }
    isOver = true
    headerTimer?.cancel()
    headerTimer = nil
    let delegate = delegate
    self.delegate = nil
    delegate?.transfer(self, ended: end)
  }

  // MARK: Redirects

  /// Follows a redirect of the same origin; otherwise sets the verdict.
  private func follow() -> Bool {
    guard let easy, let transport else { return false }
    var pointer: UnsafeMutablePointer<CChar>?
    cc_get_pointer(easy, CURLINFO_REDIRECT_URL, &pointer)
    guard let pointer else {
      verdict = .malformed("a redirect without a usable address")
      return false
    }
    let target = String(cString: pointer)
    // Compared by libcurl's own parser, the one that will use the address.
    guard let there = URLOrigin(target), let here = URLOrigin(request.base.origin) else {
      verdict = .malformed("a redirect without a usable address")
      return false
    }
    guard there == here, !there.hasUserInfo else {
      verdict = .redirectRefused(there.description)
      return false
    }
    guard redirects < Self.maximumRedirects else {
      verdict = .tooManyRedirects
      return false
    }
    redirects += 1
    isRedirect = false
    bodyBytes = 0
    collector = HeaderCollector()
    transport.detach(self)
    cc_set_string(easy, CURLOPT_URL, target)
    transport.add(self)
    return true
  }

  // MARK: From libcurl

  /// Returns whether libcurl should go on.
  fileprivate func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    guard !isOver, verdict == nil else { return false }
    switch collector.take(line) {
    case .more: return true
    case .tooLarge:
      verdict = .malformed(HeaderCollector.tooLong)
      return false
    case .complete(let head):
      return takeHead(head)
    }
  }

  private func takeHead(_ head: HTTPHead) -> Bool {
    // A change is sent once, to the one address: its redirect is an answer, and may come after the work was done
    // (RFC 9110, 15.4.4).
    if request.method == .get, [301, 302, 303, 307, 308].contains(head.status),
      head.value("location") != nil
    {
      // Responded to when the transfer is done; the header timer covers the whole chain.
      isRedirect = true
      return true
    }
    let coding = head.value("content-encoding")?.lowercased() ?? "identity"
    if request.purpose == .stream, head.status == 200, coding != "identity" {
      verdict = .malformed("the stream is compressed, which was not asked for")
      return false
    }
    hasHead = true
    headerTimer?.cancel()
    headerTimer = nil
    delegate?.transfer(self, received: head)
    return !isOver
  }

  fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard !isOver, verdict == nil else { return bytes.count == 0 ? 1 : 0 }
    if isPaused {
      isHeldByLibrary = true
      return cc_write_pause()
    }
    bodyBytes += bytes.count
    if isRedirect { return bodyBytes <= Self.redirectBodyLimit ? bytes.count : 0 }
    guard bodyBytes <= request.maxBodyBytes else {
      verdict = .tooLarge
      return 0
    }
    if bytes.count > 0 { delegate?.transfer(self, received: bytes) }
    return isOver ? 0 : bytes.count
  }

  // MARK: Facts for error messages

  var base: BackendURL { request.base }

  var isHeadDone: Bool { hasHead }
}

// Called by libcurl from inside calls made on the main actor only; see CurlTransport.

private let bodyCallback: cc_data_callback = { bytes, size, count, context in
  guard let context else { return 0 }
  nonisolated(unsafe) let pointer = context
  nonisolated(unsafe) let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return MainActor.assumeIsolated {
    Unmanaged<CurlTask>.fromOpaque(pointer).takeUnretainedValue().takeBody(buffer)
  }
}

private let headerCallback: cc_data_callback = { bytes, size, count, context in
  guard let context else { return 0 }
  nonisolated(unsafe) let pointer = context
  nonisolated(unsafe) let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
  let goesOn = MainActor.assumeIsolated {
    Unmanaged<CurlTask>.fromOpaque(pointer).takeUnretainedValue().takeHeader(buffer)
  }
  return goesOn ? size * count : 0
}
