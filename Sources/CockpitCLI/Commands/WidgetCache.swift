import CockpitSession
import CockpitText
import CockpitFiles
import Foundation

/// The widget's last data for one backend. The cache is optional: file errors are reported, and the
/// widget requests fresh data.
struct WidgetCache {
  /// Maximum age at which a bar that polls every second gets cached data, ms.
  static let freshMs: Int64 = 3000

  private let shelf: CacheDirectory?
  private let name: String
  private let backend: String
  private let environment: Environment

  init(_ paths: Paths, backend: String, guild: String?, in environment: Environment) {
    self.environment = environment
    shelf = paths.cache.map { CacheDirectory(folder: $0) }
    self.backend = backend
    name = "widget-\(StableHash.digits(of: backend + " " + (guild ?? ""))).json"
  }

  func load() -> BotOverview? {
    trying { shelf throws(FileError) in
      guard let bytes = try shelf.load(name) else { return nil }
      guard let overview = BotOverview(json: bytes) else {
        try shelf.setAside(name)
        throw FileError(
          "the widget's cache could not be read and was set aside as \(name).unreadable")
      }
      return overview.backend == backend ? overview : nil
    }
  }

  func save(_ overview: BotOverview) {
    trying { shelf throws(FileError) -> Void? in try shelf.save(overview.json(), name: name) }
  }

  /// The right to ask; always granted where the file cannot be made.
  struct Claim {
    fileprivate let file: CacheDirectory.Claim?

    func release() { file?.release() }
  }

  /// Claims the right to ask; nil if another run is asking.
  func claim() -> Claim? {
    let outcome = trying { shelf throws(FileError) -> Claim?? in
      .some(try shelf.claim(name).map { Claim(file: $0) })
    }
    // The widget works without the files.
    return outcome ?? Claim(file: nil)
  }

  /// A clock that went back makes nothing fresh.
  func isFresh(_ overview: BotOverview) -> Bool {
    (0..<Self.freshMs).contains(environment.wallMs() - overview.takenAtMs)
  }

  @discardableResult
  private func trying<Value>(_ body: (CacheDirectory) throws(FileError) -> Value?) -> Value? {
    guard let shelf else { return nil }
    do throws(FileError) {
      return try body(shelf)
    } catch {
      environment.output.complain("\(error.description); the widget works without it")
      return nil
    }
  }
}
