import Foundation

/// Redirects standard error while the screen is up: messages of the runtime and of libraries would
/// corrupt the picture and be lost.
@MainActor
final class StandardError {
  private let replacement: Int32
  private var original: Int32 = -1

  init(replacement: Int32) { self.replacement = replacement }

  /// Only redirects a terminal; a file chosen by the user stays.
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
