import CCurl
import Networking
import WebSocketCodec
internal import MainLoop

/// One WebSocket connection: libcurl connects (name, proxy, TLS), this sends and reads frames.
///
/// The handle stays on the multi handle while the connection lives: taken out, it can send no more.
@MainActor
final class CurlSocket: CurlHandle, WebSocketConnection {
  /// What may wait to be sent; more, and the far side counts as not reading.
  static let maximumQueue = 1 << 20
  /// Read in one go, before others have their turn.
  static let readingBudget = 1 << 20
  /// How long an answer to our close is waited for.
  static let closingMs: UInt64 = 2_000

  private enum Phase { case connecting, upgrading, open, closing, over }

  let request: WebSocketRequest
  private(set) var easy: UnsafeMutableRawPointer?
  private(set) var errorText: UnsafeMutablePointer<CChar>?
  var isTaken = false
  var isHeadDone: Bool { false }
  var base: BackendURL { request.url.base }
  private weak var transport: CurlTransport?
  private var delegate: (any WebSocketDelegate)?
  private var phase = Phase.connecting
  private(set) var descriptor: Int32 = -1
  private var upgrade: WebSocketUpgrade
  private var parser: WebSocketParser
  /// What is left of the frame that is on its way, and the frames behind it.
  private var current: ArraySlice<UInt8> = []
  private var queue: [[UInt8]] = []
  private var queued = 0
  /// The body of a pong that has to go before the next text.
  private var pong: [UInt8]?
  private var timer: (any LinkTimer)?
  private var turn: (any LinkTimer)?
  private var isFirstRead = true
  let leaf: LeafPin?
  private(set) var tunnel: String?

  init(
    request: WebSocketRequest, delegate: any WebSocketDelegate, transport: CurlTransport
  ) {
    self.request = request
    self.delegate = delegate
    self.transport = transport
    leaf = request.url.base.scheme == .https ? request.fingerprint.map(LeafPin.init) : nil
    upgrade = WebSocketUpgrade(nonce: (0..<16).map { _ in UInt8.random(in: 0...255) })
    parser = WebSocketParser(maximumMessage: request.maximumMessage)
  }

  var isOver: Bool { phase == .over }

  // MARK: WebSocketConnection

  func send(_ text: [UInt8]) {
    guard phase == .open else { return }
    enqueue(WebSocketFrame.encoded(.text, text, mask: UInt32.random(in: 0...UInt32.max)))
    flushSoon()
  }

  func close(code: Int, reason: String) {
    guard phase == .open else {
      if phase == .connecting || phase == .upgrading {
        endSoon(.closed(code: code, reason: reason))
      }
      return
    }
    sendClose(code: code, reason: reason)
    phase = .closing
    flushSoon()
    timer = transport?.clock.schedule(afterNs: Nanoseconds.milliseconds(Self.closingMs)) {
      [weak self] in
      self?.end(.closed(code: code, reason: reason))
    }
  }

  func cancel() {
    guard phase != .over else { return }
    delegate = nil
    leave()
  }

  // MARK: Connecting

  /// Makes the handle; false when libcurl cannot.
  func prepare(trust: TrustAnchors?, origin: OriginTLS?, socket: String?) -> Bool {
    tunnel = socket
    guard let transport, let easy = curl_easy_init() else { return false }
    self.easy = easy
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.errorText = errorText
    let options = EasyOptions(easy: easy)
    options.apply(request, trust: trust, origin: origin)
    if let socket { options.apply(socket: socket) }
    if let leaf { options.apply(leaf, isAlone: true) }
    cc_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    cc_set_close_callback(
      easy, CurlTransport.closeCallback, Unmanaged.passUnretained(transport).toOpaque())
    guard options.succeeded else {
      destroy()
      return false
    }
    let limit = UInt64(max(1, request.timeouts.headersMs))
    timer = transport.clock.schedule(afterNs: Nanoseconds.milliseconds(limit)) { [weak self] in
      self?.isLate()
    }
    return true
  }

  /// Reports a failure from outside `connect`.
  func failSoon(_ error: TransportError) { endSoon(.failed(error)) }

  private func endSoon(_ end: WebSocketEnd) {
    timer?.cancel()
    timer = transport?.clock.schedule(afterNs: 0) { [weak self] in self?.end(end) }
  }

  private func isLate() {
    switch phase {
    case .connecting:
      end(.failed(isAtProxy ? .proxy(CurlTask.silentProxy) : .timedOut(phaseBeforeHead)))
    case .upgrading:
      // A refusal whose body does not come to its end is a refusal.
      let outcome = upgrade.ended()
      if case .refused = outcome { take(outcome) } else { end(.failed(.timedOut(.headers))) }
    default: break
    }
  }

  func finished(_ code: CURLcode) {
    guard phase == .connecting, let easy else { return }
    if let error = CurlError(code: code, task: self).transportError { return end(.failed(error)) }
    var descriptor: curl_socket_t = -1
    guard cc_get_socket(easy, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK, descriptor >= 0
    else { return end(.failed(.connectionLost("the connection was closed at once"))) }
    self.descriptor = descriptor
    phase = .upgrading
    transport?.adopt(self)
    let headers = [("User-Agent", "clanky-cockpit")] + request.headers.map { ($0.name, $0.value) }
    enqueue(
      upgrade.request(
        authority: request.url.authority, path: request.target,
        headers: headers.map { (name: $0.0, value: $0.1) }))
    flushSoon()
  }

  /// Frees the handle.
  func destroy() {
    if let easy { curl_easy_cleanup(easy) }
    easy = nil
    errorText?.deallocate()
    errorText = nil
  }

  // MARK: Reading

  /// The descriptor is ready.
  func ready(_ directions: Directions) {
    if directions.contains(.writing) { flush() }
    if directions.contains(.reading) { read() }
  }

  /// Reads until nothing is left: TLS may hold bytes that `poll` does not see.
  private func read() {
    var left = Self.readingBudget
    while phase == .upgrading || phase == .open || phase == .closing {
      guard left > 0 else {
        // Others have their turn; then on, without waiting for the descriptor.
        turn = transport?.clock.schedule(afterNs: 0) { [weak self] in self?.read() }
        return
      }
      guard let transport, let easy else { return }
      var events: [WebSocketEvent] = []
      var outcome = WebSocketUpgrade.Outcome.more
      let (code, count) = transport.receive(easy) { bytes in
        if phase == .upgrading {
          outcome = upgrade.push(bytes)
        } else {
          parser.push(bytes) { events.append($0) }
        }
      }
      switch code {
      case CURLE_OK where count > 0:
        left -= count
        take(outcome)
        for event in events { take(event) }
      case CURLE_AGAIN: return
      case CURLE_OK: lost("the connection was closed")
      default:
        let error = CurlError(code: code, task: self)
        // In TLS 1.3 the server looks at our certificate after the handshake.
        if phase == .upgrading, error.isAboutOurCertificate {
          return end(.failed(.tls(.ownRefused, error.text)))
        }
        lost(error.text)
      }
    }
  }

  private func lost(_ how: String) {
    guard phase == .upgrading else {
      return end(.closed(code: WebSocketCloseCode.lost, reason: how))
    }
    let outcome = upgrade.ended()
    if case .refused = outcome { take(outcome) } else { end(.failed(.connectionLost(how))) }
  }

  private func take(_ outcome: WebSocketUpgrade.Outcome) {
    switch outcome {
    case .more: break
    case .refused(let status, let reason, let body):
      end(.refused(status: status, reason: reason, body: body))
    case .failed(let why): end(.failed(.malformed(why)))
    case .open(let rest):
      phase = .open
      timer?.cancel()
      timer = nil
      delegate?.opened(self)
      var events: [WebSocketEvent] = []
      rest.withUnsafeBytes { parser.push($0) { events.append($0) } }
      for event in events { take(event) }
    }
  }

  private func take(_ event: WebSocketEvent) {
    guard phase == .open || phase == .closing else { return }
    switch event {
    case .text(let text): if phase == .open { delegate?.socket(self, received: text) }
    case .binary(let bytes): if phase == .open { delegate?.socket(self, receivedBinary: bytes) }
    case .ping(let body):
      // A newer one replaces one that still waits.
      pong = body
      if phase == .open { flush() }
    case .pong: break
    case .close(let code, let reason):
      if phase == .open {
        sendClose(code: code, reason: "")
        flush()
      }
      end(.closed(code: code, reason: reason))
    case .failed(let code, let why):
      if phase == .open {
        sendClose(code: code, reason: why)
        flush()
      }
      end(.violated(code: code, why: why))
    }
  }

  // MARK: Writing

  private func sendClose(code: Int, reason: String) {
    let mask = UInt32.random(in: 0...UInt32.max)
    append(WebSocketFrame.close(code: code, reason: reason, mask: mask))
  }

  private func enqueue(_ frame: [UInt8]) {
    let waiting = queued + current.count
    guard waiting == 0 || waiting + frame.count <= Self.maximumQueue else {
      return endSoon(.closed(code: WebSocketCloseCode.lost, reason: "the far side is not reading"))
    }
    append(frame)
  }

  private func append(_ frame: [UInt8]) {
    queue.append(frame)
    queued += frame.count
  }

  /// A pong goes before what waits, but not into the middle of a frame.
  private func nextFrame() -> [UInt8]? {
    if let body = pong {
      pong = nil
      return WebSocketFrame.encoded(.pong, body, mask: UInt32.random(in: 0...UInt32.max))
    }
    guard !queue.isEmpty else { return nil }
    let frame = queue.removeFirst()
    queued -= frame.count
    return frame
  }

  /// Sends now, unless libcurl is on the stack.
  private func flushSoon() {
    transport?.whenIdle { [weak self] in self?.flush() }
  }

  private func flush() {
    guard let transport, let easy, phase == .upgrading || phase == .open || phase == .closing
    else { return }
    var failure: CURLcode?
    while failure == nil {
      if current.isEmpty {
        guard let next = nextFrame() else { break }
        current = next[...]
      }
      let (code, count) = transport.transmit(easy, current)
      current = current.dropFirst(count)
      if code != CURLE_OK { failure = code }
    }
    transport.want(self, writes: failure == CURLE_AGAIN)
    if let failure, failure != CURLE_AGAIN, phase != .closing {
      // What the far side said before it went is read first.
      turn = transport.clock.schedule(afterNs: 0) { [weak self] in
        self?.read()
        self?.lost("the connection was lost")
      }
    }
  }

  // MARK: The end

  private func end(_ end: WebSocketEnd) {
    guard phase != .over else { return }
    let delegate = delegate
    self.delegate = nil
    leave()
    delegate?.socket(self, ended: end)
  }

  private func leave() {
    phase = .over
    timer?.cancel()
    turn?.cancel()
    (timer, turn, pong, queue, current) = (nil, nil, nil, [], [])
    transport?.whenIdle { [weak transport] in transport?.release(self) }
  }
}
