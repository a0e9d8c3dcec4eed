import ArgumentParser
import Foundation

/// What the proxy does with connections, set by a line on its stdin.
enum ProxyOrder: String {
  /// Pass everything on.
  case pass
  /// Reset every connection, at once, with whatever is under way.
  case reset
  /// Close every connection as a server does that ends.
  case close
  /// Close the port too: connections are refused.
  case away
  /// Take connections and pass nothing on.
  case silence
}

/// A proxy to a backend that injects faults on request. A separate process, so that it keeps
/// running while the driver waits for others.
struct ProxyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proxy", abstract: "A disturbed way to a backend (a part of endurance).")

  @Option(help: "Port on 127.0.0.1 to pass connections to.")
  var to: UInt16

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    var proxy = try FaultyProxy(to: to)
    FileHandle.standardOutput.write(Data("\(proxy.port)\n".utf8))
    proxy.run()
  }
}

/// The proxy: one thread, one poll(2).
struct FaultyProxy {
  /// A connection and its other half.
  private struct Link {
    let client: Int32
    let backend: Int32
  }

  private let target: UInt16
  let port: UInt16
  private var listener: Int32 = -1
  private var links: [Link] = []
  private var isSilent = false
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var orders = ""

  init(to target: UInt16) throws {
    self.target = target
    listener = try Loopback.listen(port: 0)
    port = Loopback.port(of: listener)
  }

  /// Until stdin ends.
  mutating func run() {
    while true {
      var polls = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
      polls.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))  // -1 is left out
      if !isSilent {
        for link in links {
          polls.append(pollfd(fd: link.client, events: Int16(POLLIN), revents: 0))
          polls.append(pollfd(fd: link.backend, events: Int16(POLLIN), revents: 0))
        }
      }
      guard poll(&polls, nfds_t(polls.count), -1) > 0 else { continue }
      if polls[0].revents != 0, !takeOrders() { return }
      if polls[1].revents != 0, polls[1].fd == listener { accept() }
      for poller in polls.dropFirst(2) where poller.revents != 0 { pass(from: poller.fd) }
    }
  }

  private mutating func takeOrders() -> Bool {
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else { return false }
    orders += String(decoding: buffer[..<count], as: UTF8.self)
    while let end = orders.firstIndex(of: "\n") {
      if let order = ProxyOrder(rawValue: String(orders[..<end])) { obey(order) }
      orders.removeSubrange(...end)
    }
    return true
  }

  private mutating func obey(_ order: ProxyOrder) {
    isSilent = order == .silence
    switch order {
    case .silence: break
    case .pass:
      // Data buffered during a silence belongs to connections that are already abandoned.
      if listener < 0 { listener = (try? Loopback.listen(port: port)) ?? -1 }
    case .reset: end(abruptly: true)
    case .close: end(abruptly: false)
    case .away:
      end(abruptly: true)
      if listener >= 0 { Foundation.close(listener) }
      listener = -1
    }
  }

  private mutating func end(abruptly: Bool) {
    for link in links {
      if abruptly { Loopback.resetOnClose(link.client) }
      Foundation.close(link.client)
      Foundation.close(link.backend)
    }
    links = []
  }

  private mutating func accept() {
    let client = Foundation.accept(listener, nil, nil)
    guard client >= 0 else { return }
    let backend = Loopback.connect(port: target)
    guard backend >= 0 else {
      Loopback.resetOnClose(client)
      Foundation.close(client)
      return
    }
    links.append(Link(client: client, backend: backend))
  }

  private mutating func pass(from descriptor: Int32) {
    guard
      let index = links.firstIndex(where: { $0.client == descriptor || $0.backend == descriptor })
    else { return }
    let link = links[index]
    let other = link.client == descriptor ? link.backend : link.client
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0, Loopback.writeAll(other, buffer[..<count]) { return }
    Foundation.close(link.client)
    Foundation.close(link.backend)
    links.remove(at: index)
  }
}
