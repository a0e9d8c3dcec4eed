import CockpitFiles
import Foundation
import TerminalCore

/// What ssh wrote on its standard error, and what to do about it.
struct SSHErrors {
  private var bytes: [UInt8] = []
  private static let limit = 8_192

  init() {}

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Reads what is there, without waiting, and keeps the end of it.
  mutating func read(_ descriptor: Int32) {
    var chunk = [UInt8](repeating: 0, count: 4_096)
    // Bounded: one that floods has its turn again later.
    for _ in 0..<64 {
      let count = readBytes(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    bytes = Array(bytes.suffix(Self.limit))
  }

  /// One sentence, and the next step.
  func sentence(_ host: String) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    func has(_ words: String) -> Bool { text.contains(words) }
    if has("REMOTE HOST IDENTIFICATION HAS CHANGED") {
      return
        "The host key of \(host) has changed: somebody may be in between. If the machine has a new key, remove the old one with ssh-keygen -R, and run 'ssh \(host)' once."
    }
    if has("Host key verification failed") {
      return "The host key of \(host) is not known. Run 'ssh \(host)' once, and compare it there."
    }
    if has("Permission denied") {
      return
        "The ssh host \(host) did not let this program in: it is asked for no password. Give ssh a key without one, or load it with ssh-add; 'ssh -o BatchMode=yes \(host)' has to work."
    }
    if has("Could not resolve hostname") {
      return "The ssh host \(host) is not known. Check ssh in the profile, and ~/.ssh/config."
    }
    if has("prohibited") {
      return "The ssh host \(host) allows no tunnel. Set AllowTcpForwarding there."
    }
    let last = lines.last.map { PlainText($0, limit: 200).description } ?? ""
    if last.contains("connect to host") {
      return "The ssh host \(host) cannot be reached (\(last)). Check the network, and ssh there."
    }
    let reason = last.isEmpty ? "it gave no reason" : last
    return "The ssh tunnel to \(host) was not opened: \(reason). Try 'ssh \(host)'."
  }
}

private func readBytes(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int
) -> Int { read(descriptor, buffer, count) }
