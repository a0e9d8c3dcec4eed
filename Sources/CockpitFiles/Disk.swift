/// Why a system call failed: its `errno`.
package struct DiskFailure: Error, Hashable, Sendable {
  package let code: Int32

  package init(_ code: Int32) { self.code = code }
}

/// What a file is opened for. Whatever the purpose, no symbolic link is followed, no pipe is waited
/// for, and the descriptor is not passed on to other programs.
package enum OpenPurpose: Hashable, Sendable {
  /// To name and to sync what is in a folder.
  case folder
  case reading
  /// A file that must not exist yet; mode 0600 from its first moment.
  case creating
  /// Adding to the end, and reading; made with mode 0600 when it is missing.
  case appending
}

/// What is known of a file without opening it.
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

/// The few system calls that careful writing needs. `SystemDisk` makes them; tests put a disk in
/// between that fails, or a process that dies, at a chosen call.
///
/// Each method is one call and fails with its `errno`; names are looked up in an open folder, so
/// that the folder cannot be exchanged between two calls.
package protocol Disk {
  /// Makes a folder, mode 0700.
  ///
  /// - Parameter folder: where a relative name is looked up; nil is the working directory.
  func makeFolder(_ name: String, in folder: Int32?) throws(DiskFailure)
  func open(_ name: String, in folder: Int32?, for purpose: OpenPurpose) throws(DiskFailure)
    -> Int32
  func status(of descriptor: Int32) throws(DiskFailure) -> FileStatus
  /// A symbolic link is described itself, not what it points to.
  func status(of name: String, in folder: Int32?) throws(DiskFailure) -> FileStatus
  func setMode(_ mode: UInt32, of descriptor: Int32) throws(DiskFailure)
  /// Locks the file for this descriptor, or fails at once with `EWOULDBLOCK`.
  func lock(_ descriptor: Int32, isShared: Bool) throws(DiskFailure)
  /// Locks one byte of the file, be it there or not, for this descriptor, which is open for writing;
  /// fails at once with `EAGAIN` or `EACCES` when another one has it.
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
  /// Replaces `newName` when there is one.
  func rename(_ name: String, to newName: String, in folder: Int32) throws(DiskFailure)
  func remove(_ name: String, in folder: Int32) throws(DiskFailure)
  /// What is in the folder, unsorted, at most `limit` names.
  func names(in folder: Int32, limit: Int) throws(DiskFailure) -> [String]
  /// Closes the descriptor, which is gone even when this fails.
  func close(_ descriptor: Int32) throws(DiskFailure)
  /// Waits some milliseconds for a lock.
  func pause()
}
