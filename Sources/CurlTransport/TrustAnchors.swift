import CCurl

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An additional trust anchor (`--ca-file`), added to the system's own.
struct TrustAnchors: Sendable {
  /// Why a file cannot be used.
  enum Problem: Error, Sendable, Equatable {
    case unreadable(String)
    case notPEM
  }

  /// PEM of the system's anchors followed by the additional ones.
  let pem: [UInt8]

  /// More than any bundle: Debian's has 220 kB.
  private static let maximumBytes = 8 << 20

  init(additional path: String) throws(Problem) {
    let extra: [UInt8]
    switch Self.read(path) {
    case .success(let bytes): extra = bytes
    case .failure(let problem): throw problem
    }
    guard Self.contains(extra, "-----BEGIN CERTIFICATE-----") else { throw .notPEM }
    var system: [UInt8] = []
    if let file = cc_default_ca_file(),
      case .success(let bytes) = Self.read(String(cString: file))
    {
      system = bytes
    }
    pem = system + [0x0A] + extra
  }

  private static func contains(_ bytes: [UInt8], _ marker: String) -> Bool {
    let marker = Array(marker.utf8)
    guard bytes.count >= marker.count else { return false }
    return (0...(bytes.count - marker.count)).contains { start in
      bytes[start] == marker[0] && bytes[start..<(start + marker.count)].elementsEqual(marker)
    }
  }

  private static func read(_ path: String) -> Result<[UInt8], Problem> {
    guard let file = fopen(path, "rb") else { return .failure(.unreadable(lastError())) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= maximumBytes else { return .failure(.unreadable("it is too large")) }
      if count < buffer.count {
        return ferror(file) == 0 ? .success(bytes) : .failure(.unreadable(lastError()))
      }
    }
  }

  private static func lastError() -> String {
    guard let text = strerror(errno) else { return "unknown error" }
    return String(cString: text)
  }
}
