import CockpitDomain
import CockpitStores
import Dispatch
import Foundation
import Networking

/// Waits until something holds about observable stores.
///
/// - Throws: when the task was cancelled.
@MainActor
package func waitUnlessInterrupted(
  until condition: @escaping @MainActor () -> Bool
) async throws(Failure) {
  await waitUntil(condition)
  if Task.isCancelled { throw .interrupted }
}

extension Failure {
  /// The run was interrupted; its caller reports that.
  package static let interrupted = Failure(.failed, "interrupted")
}

extension RequestChannel {
  /// The answer to a request. With the task the request is cancelled, which looks like a lost connection.
  package func answer(to request: RestRequest) async -> Result<RestAnswer, RestFailure> {
    let lost = RestFailure(failure: .connectionLost("interrupted"), mayHaveArrived: true)
    var handle: (any RestHandle)?
    let answer = await awaitCallback(ifCancelled: .failure(lost)) { done in
      handle = self.request(request, completion: done)
    }
    if Task.isCancelled { handle?.cancel() }
    return answer
  }
}

/// Yields the main actor during long work, so that the screen stays responsive.
@MainActor
package struct Breaths {
  /// How long work may run between two yields.
  private static let stretchNs: UInt64 = 8_000_000
  private var startNs = DispatchTime.now().uptimeNanoseconds

  package init() {}

  /// To be called between small pieces of the work.
  ///
  /// - Throws: when the task was cancelled.
  package mutating func take() async throws(Failure) {
    guard DispatchTime.now().uptimeNanoseconds &- startNs >= Self.stretchNs else { return }
    await Task.yield()
    if Task.isCancelled { throw .interrupted }
    startNs = DispatchTime.now().uptimeNanoseconds
  }
}

/// Work that blocks: other programs, disks, a parser.
package enum OwnThread {
  /// Runs `work` on its own thread while the main actor continues. Not on a queue or in a detached
  /// task: once used, Dispatch's thread pool wakes every second.
  @MainActor
  package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}
