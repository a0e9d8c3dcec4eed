import LenientJSON
import Networking

/// HTTP that a test answers.
@MainActor
final class Web: Transport {
  final class Task: TransportTask {
    var isCancelled = false
    func cancel() { isCancelled = true }
    func pause() {}
    func resume() {}
  }

  var requests: [HTTPRequest] = []
  private typealias Open = (request: HTTPRequest, task: Task, delegate: any TransportDelegate)
  private var opened: [Open] = []

  func open(_ request: HTTPRequest, delegate: any TransportDelegate) -> any TransportTask {
    requests.append(request)
    let task = Task()
    opened.append((request, task, delegate))
    return task
  }

  var body: JSONValue? { requests.last?.body.flatMap { try? JSONValue.parse($0) } }

  /// Answers the newest request, or that of a tool.
  func answer(_ status: Int, _ text: String, tool: String? = nil) {
    let place = opened.lastIndex { one in
      tool.map { $0 == Self.tool(of: one.request) } ?? true
    }
    guard let place else { return }
    let (_, task, delegate) = opened.remove(at: place)
    delegate.transfer(task, received: HTTPHead(status: status))
    Array(text.utf8).withUnsafeBytes {
      if !$0.isEmpty { delegate.transfer(task, received: $0) }
    }
    delegate.transfer(task, ended: TransportEnd(error: nil))
  }

  private static func tool(of request: HTTPRequest) -> String? {
    request.body.flatMap { try? JSONValue.parse($0) }?["tool"]?.string
  }

  func fail() {
    guard let (_, task, delegate) = opened.popLast() else { return }
    delegate.transfer(task, ended: TransportEnd(error: .refused))
  }
}
