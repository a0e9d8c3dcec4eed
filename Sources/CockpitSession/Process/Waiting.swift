import CockpitDomain
import CockpitStores
import Dispatch
import Foundation
import Networking
import Synchronization

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

  /// The number of worker threads for a request that a user is waiting for.
  package static var count: Int { min(4, ProcessInfo.processInfo.activeProcessorCount) }

  /// Works on consecutive parts of a list at once, on the first one on the calling thread, and waits for all.
  ///
  /// - Parameters:
  ///   - count: number of parts; at least one.
  ///   - progress: the `progress` of the first part's work; false ends the others as well, at their next call.
  ///   - work: the work on a part, called on several threads.
  /// - Returns: the results in the order of the parts.
  /// - Throws: the first failure in that order, after the end of all.
  static func parts<Item: Sendable, Value: Sendable, Failed: Error>(
    of items: [Item], _ count: Int, progress: (Double) -> Bool = { _ in true },
    _ work: @escaping @Sendable (ArraySlice<Item>, (Double) -> Bool) throws(Failed) -> Value
  ) throws(Failed) -> [Value] {
    let count = max(1, min(count, items.count))
    let shared = Parts<Value, Failed>()
    let isDone = DispatchSemaphore(value: 0)
    let begins = (0...count).map { $0 * items.count / count }
    for part in 1..<count {
      let slice = items[begins[part]..<begins[part + 1]]
      Thread.detachNewThread {
        let result = Result { () throws(Failed) in
          try work(slice) { _ in !shared.isEnded.load(ordering: .relaxed) }
        }
        shared.results.withLock { $0[part] = result }
        isDone.signal()
      }
    }
    let own = Result { () throws(Failed) in
      try work(items[begins[0]..<begins[1]]) { share in
        let mayGoOn = progress(share)
        if !mayGoOn { shared.isEnded.store(true, ordering: .relaxed) }
        return mayGoOn
      }
    }
    for _ in 1..<count { isDone.wait() }
    var values = [try own.get()]
    for (_, result) in shared.results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      values.append(try result.get())
    }
    return values
  }

  /// What the parts of a list share.
  private final class Parts<Value: Sendable, Failed: Error>: Sendable {
    let results = Mutex<[Int: Result<Value, Failed>]>([:])
    let isEnded = Atomic(false)
  }
}
