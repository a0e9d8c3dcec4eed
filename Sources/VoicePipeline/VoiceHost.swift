package import CockpitVoice
package import MainLoop
package import Networking

/// What the pipeline needs of the program around it.
@MainActor
package struct VoiceHost {
  package var loop: any EventLoop
  package var clock: any LinkClock
  package var transport: any Transport
  /// Of the programs that it starts.
  package var environment: [String: String]
  /// The secret of a service, which may take a command of the user's; nil where it wants none. `done` is called once.
  package var key:
    (VoiceService, @escaping @MainActor (Result<String?, VoiceProblem>) -> Void) -> Void = {
      $1(.success(nil))
    }
  /// Synthesis by the gateway that is talked to; nil where there is none.
  package var gatewaySpeech:
    ((String, @escaping @MainActor (Result<[UInt8], VoiceProblem>) -> Void) -> Void)?
  /// Keeps a recording until its text is known.
  ///
  /// - Returns: the path of a file that only its owner can read.
  package var keepRecording: ([UInt8]) throws(VoiceProblem) -> String
  package var removeRecording: (String) -> Void

  package init(
    loop: any EventLoop, clock: any LinkClock, transport: any Transport,
    environment: [String: String],
    keepRecording: @escaping ([UInt8]) throws(VoiceProblem) -> String,
    removeRecording: @escaping (String) -> Void
  ) {
    self.loop = loop
    self.clock = clock
    self.transport = transport
    self.environment = environment
    self.keepRecording = keepRecording
    self.removeRecording = removeRecording
  }

  /// Calls `body` after so many ms.
  func after(_ ms: UInt64, _ body: @escaping @MainActor () -> Void) -> any LinkTimer {
    clock.schedule(afterNs: Nanoseconds.milliseconds(ms), body)
  }
}
