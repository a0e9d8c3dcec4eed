/// Where words go that must not land on the full screen: a file of our own, 0600 in 0700.
package struct ClientLog: Sendable {
  package let path: String
  /// Open for appending; stays open as long as the program.
  package let descriptor: Int32

  /// Opens the log in the state directory; nil when there is none to be had (read-only or missing
  /// HOME, full disk): the cockpit works without it.
  package static func open(_ paths: Paths) -> ClientLog? {
    guard let folder = paths.state else { return nil }
    do throws(FileError) {
      let own = try OwnFolder.making(folder, disk: SystemDisk())
      defer { own.close() }
      return ClientLog(
        path: "\(folder)/cockpit.log", descriptor: try own.append(to: "cockpit.log"))
    } catch {
      return nil
    }
  }
}
