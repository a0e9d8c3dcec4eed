import CockpitFiles
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One search for bots on the local network, which can be called off from another thread.
package final class LocalBotSearch: Sendable {
  private struct State {
    var isCalledOff = false
    var isRunning = true
  }

  private let state = Mutex(State())
  private let tool: LocalBots.Tool
  private let path: String
  private let environment: [String: String]

  /// The tool that looks.
  package var toolName: String { tool.rawValue }
  /// How long it looks: answers on a local network take less.
  package static let patience = Duration.seconds(3)

  /// nil if this machine has no tool that could look.
  package init?(in environment: [String: String]) {
    guard let (tool, path) = LocalBots.tool(in: environment) else { return nil }
    self.tool = tool
    self.path = path
    self.environment = environment
  }

  /// Looks for bots; call it once, on a thread that may wait.
  package func run() -> [LocalBot] {
    defer { state.withLock { $0.isRunning = false } }
    return LocalBots.find(
      with: tool, at: path, environment: environment, patience: Self.patience
    ) { state.withLock { $0.isCalledOff } }
  }

  /// Ends the tool, and waits until it is gone: dns-sd would run for ever.
  package func callOff() {
    state.withLock { $0.isCalledOff = true }
    for _ in 0..<200 where state.withLock({ $0.isRunning }) { usleep(5000) }
  }
}
