import Foundation

/// Sends standard error elsewhere while the screen is up: the runtime, and any library that prints,
/// would write into the picture, and the text would be gone with it.
@MainActor
final class StandardError {
  private let replacement: Int32
  private var original: Int32 = -1

  init(replacement: Int32) { self.replacement = replacement }

  /// Only a terminal is replaced: a file the user gave stays the user's.
  func redirect() {
    guard original < 0, isatty(STDERR_FILENO) == 1 else { return }
    original = fcntlDuplicate(STDERR_FILENO)
    if original >= 0 { dup2(replacement, STDERR_FILENO) }
  }

  func restore() {
    guard original >= 0 else { return }
    dup2(original, STDERR_FILENO)
    close(original)
    original = -1
  }

  private func fcntlDuplicate(_ descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }
}
