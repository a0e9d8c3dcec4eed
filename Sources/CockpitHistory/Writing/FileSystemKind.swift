internal import Foundation

/// Whether a folder lies on a network file system: locks and shared memory, on which the write-ahead log depends, do not
/// work there as they must.
package enum FileSystemKind {
  /// The type of the file system, if it is one of a network.
  @Sendable package static func network(of path: String) -> String? {
    #if os(Linux)
      guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
      else { return nil }
      return network(type(of: URL(filePath: path).resolvingSymlinksInPath().path, in: mounts))
    #elseif canImport(Darwin)
      var status = statfs()
      guard statfs(path, &status) == 0, status.f_flags & UInt32(MNT_LOCAL) == 0 else { return nil }
      return withUnsafeBytes(of: status.f_fstypename) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    #else
      return nil
    #endif
  }

  /// The type of the file system on which an absolute path lies, by the lines of /proc/self/mountinfo.
  static func type(of path: String, in mounts: String) -> String? {
    var best: (length: Int, type: String)?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
      else { continue }
      let point = unescaped(fields[4])
      guard point == "/" || path == point || path.hasPrefix(point + "/") else { continue }
      // Of two on one point the later one is seen.
      if point.utf8.count >= best?.length ?? 0 {
        best = (point.utf8.count, String(fields[dash + 1]))
      }
    }
    return best?.type
  }

  static func network(_ type: String?) -> String? {
    guard let type else { return nil }
    let known: Set<String> = [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "coda", "ncpfs", "ceph", "lustre", "gpfs",
      "glusterfs", "beegfs", "ocfs2", "gfs2", "davfs", "fuse.sshfs", "fuse.s3fs", "fuse.rclone",
      "fuse.glusterfs", "fuse.ceph", "fuse.davfs", "fuse.gvfsd-fuse", "fuse.smbnetfs",
    ]
    return known.contains(type) ? type : nil
  }

  /// Spaces and others are octal numbers there.
  private static func unescaped(_ text: Substring) -> String {
    String(text).replacing("\\040", with: " ").replacing("\\011", with: "\t")
      .replacing("\\134", with: "\\")
  }
}
