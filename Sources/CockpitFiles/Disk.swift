/// Why a system call failed: its `errno`.
package struct DiskFailure: Error, Hashable, Sendable {
  package let code: Int32

  package init(_ code: Int32) { self.code = code }
}

/// The purpose of opening a file. In all cases symbolic links are not followed, pipes do not block,
/// and the descriptor is not inherited.
package enum OpenPurpose: Hashable, Sendable {
  /// To list and sync a directory.
  case folder
  case reading
  /// A file that must not exist yet; mode 0600 from its first moment.
  case creating
  /// Adding to the end, and reading; made with mode 0600 when it is missing.
  case appending
}

/// The metadata of a file, obtained without opening it.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case file, folder, link, other }

  package var kind: Kind
  /// Bytes.
  package var size: Int
  /// User id.
  package var owner: UInt32
  /// Permission bits.
  package var mode: UInt32
  /// When its content last changed, in seconds since 1970.
  package var modified: Int
}

/// The few system calls needed for safe writing. `SystemDisk` makes them; tests insert a disk that
/// fails, or a process that dies, at a chosen call.
///
/// Each method is one call and fails with its `errno`; names are looked up in an open directory, so
/// that the directory cannot be exchanged between two calls.
package protocol Disk {
  /// Creates a directory, mode 0700.
  ///
  /// - Parameter folder: where a relative name is looked up; nil means the working directory.
  func makeFolder(_ name: String, in folder: Int32?) throws(DiskFailure)
  func open(_ name: String, in folder: Int32?, for purpose: OpenPurpose) throws(DiskFailure)
    -> Int32
  func status(of descriptor: Int32) throws(DiskFailure) -> FileStatus
  /// A symbolic link is described itself, not its target.
  func status(of name: String, in folder: Int32?) throws(DiskFailure) -> FileStatus
  func setMode(_ mode: UInt32, of descriptor: Int32) throws(DiskFailure)
  /// Locks the file for this descriptor, or fails at once with `EWOULDBLOCK`.
  func lock(_ descriptor: Int32, isShared: Bool) throws(DiskFailure)
  /// Locks one byte of the file, which need not exist, for this descriptor, which must be open for
  /// writing; fails at once with `EAGAIN` or `EACCES` if another one has it.
  func lock(_ descriptor: Int32, at offset: Int) throws(DiskFailure)
  /// Gives that byte back.
  func unlock(_ descriptor: Int32, at offset: Int) throws(DiskFailure)
  /// - Returns: how many bytes were written, which may be fewer.
  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(DiskFailure) -> Int
  /// - Returns: how many bytes were read from `offset` on; 0 is the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int)
    throws(DiskFailure) -> Int
  func truncate(_ descriptor: Int32, to size: Int) throws(DiskFailure)
  /// Returns when the content, or of a folder the names, would survive a power cut.
  func synchronize(_ descriptor: Int32) throws(DiskFailure)
  /// Replaces `newName` if it exists.
  func rename(_ name: String, to newName: String, in folder: Int32) throws(DiskFailure)
  func remove(_ name: String, in folder: Int32) throws(DiskFailure)
  /// The names in the directory, unsorted, at most `limit`.
  func names(in folder: Int32, limit: Int) throws(DiskFailure) -> [String]
  /// Closes the descriptor, which is gone even if this fails.
  func close(_ descriptor: Int32) throws(DiskFailure)
  /// Waits some milliseconds for a lock.
  func pause()
}
