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
  private var open: (task: Task, delegate: any TransportDelegate)?

  func open(_ request: HTTPRequest, delegate: any TransportDelegate) -> any TransportTask {
    requests.append(request)
    let task = Task()
    open = (task, delegate)
    return task
  }

  var body: JSONValue? { requests.last?.body.flatMap { try? JSONValue.parse($0) } }

  func answer(_ status: Int, _ text: String) {
    guard let (task, delegate) = open else { return }
    open = nil
    delegate.transfer(task, received: HTTPHead(status: status))
    Array(text.utf8).withUnsafeBytes {
      if !$0.isEmpty { delegate.transfer(task, received: $0) }
    }
    delegate.transfer(task, ended: TransportEnd(error: nil))
  }

  func fail() {
    guard let (task, delegate) = open else { return }
    delegate.transfer(task, ended: TransportEnd(error: .refused))
  }
}
