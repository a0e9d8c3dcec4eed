package import CockpitFiles
import Foundation

/// The disk of the machine, on which one chosen call goes wrong.
package final class ScriptedDisk: Disk {
  package enum Event: Hashable, Sendable {
    /// The call fails with this `errno`, once, and has no effect.
    case failure(Int32)
    /// This call and all later ones of its name fail.
    case lastingFailure(Int32)
    /// A write does only half of its work. Other calls do all of theirs.
    case shortWrite
    /// As `shortWrite`, and every later write fails.
    case full(Int32)
    /// The process ends before, after or, for a write, in the middle of the call.
    case deathBefore, deathAfter, deathHalfway
  }

  /// The names of the calls that were made.
  package private(set) var calls: [String] = []
  /// What was opened and not closed again.
  package private(set) var openDescriptors: Set<Int32> = []
  private let system = SystemDisk()
  private let index: Int
  private let event: Event?

  private let stuck: String?

  /// - Parameters:
  ///   - index: of the call to which `event` happens, counted from 0.
  ///   - stuck: a name; all calls of it fail with `EIO`.
  package init(at index: Int = 0, _ event: Event? = nil, alsoFailing stuck: String? = nil) {
    self.index = index
    self.event = event
    self.stuck = stuck
  }

  private func step<Value>(
    _ name: String, _ call: () throws(DiskFailure) -> Value
  ) throws(DiskFailure) -> Value {
    calls.append(name)
    if name == stuck { throw DiskFailure(EIO) }
    let isHit = calls.count == index + 1
    switch event {
    case .failure(let code) where isHit:
      // The descriptor is gone even when closing it fails.
      if name == "close" { _ = try call() }
      throw DiskFailure(code)
    case .lastingFailure(let code) where calls.count > index && name == calls[index]:
      if name == "close" { _ = try call() }
      throw DiskFailure(code)
    case .full(let code) where calls.count > index + 1 && name == "write": throw DiskFailure(code)
    case .deathBefore where isHit: Self.die()
    case .deathAfter where isHit:
      _ = Result { () throws(DiskFailure) in try call() }
      Self.die()
    default: break
    }
    return try call()
  }

  /// As a crash or a power cut would: no handler runs, nothing is cleaned up.
  private static func die() -> Never {
    kill(getpid(), SIGKILL)
    while true { sleep(1) }
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) throws(DiskFailure) -> Int {
    try step("write") { () throws(DiskFailure) in
      guard calls.count == index + 1 else { return try system.write(bytes, to: descriptor) }
      let half = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)])
      switch event {
      case .shortWrite, .full: return try system.write(half, to: descriptor)
      case .deathHalfway:
        _ = try system.write(half, to: descriptor)
        Self.die()
      default: return try system.write(bytes, to: descriptor)
      }
    }
  }

  package func makeFolder(_ name: String, in folder: Int32?) throws(DiskFailure) {
    try step("mkdir") { () throws(DiskFailure) in try system.makeFolder(name, in: folder) }
  }

  package func open(
    _ name: String, in folder: Int32?, for purpose: OpenPurpose
  ) throws(DiskFailure) -> Int32 {
    try step("open") { () throws(DiskFailure) in
      let descriptor = try system.open(name, in: folder, for: purpose)
      openDescriptors.insert(descriptor)
      return descriptor
    }
  }

  package func status(of descriptor: Int32) throws(DiskFailure) -> FileStatus {
    try step("fstat") { () throws(DiskFailure) in try system.status(of: descriptor) }
  }

  package func status(of name: String, in folder: Int32?) throws(DiskFailure) -> FileStatus {
    try step("lstat") { () throws(DiskFailure) in try system.status(of: name, in: folder) }
  }

  package func setMode(_ mode: UInt32, of descriptor: Int32) throws(DiskFailure) {
    try step("chmod") { () throws(DiskFailure) in try system.setMode(mode, of: descriptor) }
  }

  package func lock(_ descriptor: Int32, isShared: Bool) throws(DiskFailure) {
    try step("lock") { () throws(DiskFailure) in
      try system.lock(descriptor, isShared: isShared)
    }
  }

  package func lock(_ descriptor: Int32, at offset: Int) throws(DiskFailure) {
    try step("lock") { () throws(DiskFailure) in try system.lock(descriptor, at: offset) }
  }

  package func unlock(_ descriptor: Int32, at offset: Int) throws(DiskFailure) {
    try step("unlock") { () throws(DiskFailure) in try system.unlock(descriptor, at: offset) }
  }

  package func read(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
  ) throws(DiskFailure) -> Int {
    try step("read") { () throws(DiskFailure) in
      try system.read(buffer, from: descriptor, at: offset)
    }
  }

  package func truncate(_ descriptor: Int32, to size: Int) throws(DiskFailure) {
    try step("truncate") { () throws(DiskFailure) in try system.truncate(descriptor, to: size) }
  }

  package func synchronize(_ descriptor: Int32) throws(DiskFailure) {
    try step("sync") { () throws(DiskFailure) in try system.synchronize(descriptor) }
  }

  package func rename(
    _ name: String, to newName: String, in folder: Int32
  ) throws(DiskFailure) {
    try step("rename") { () throws(DiskFailure) in
      try system.rename(name, to: newName, in: folder)
    }
  }

  package func remove(_ name: String, in folder: Int32) throws(DiskFailure) {
    try step("remove") { () throws(DiskFailure) in try system.remove(name, in: folder) }
  }

  package func names(in folder: Int32, limit: Int) throws(DiskFailure) -> [String] {
    try step("names") { () throws(DiskFailure) in try system.names(in: folder, limit: limit) }
  }

  package func close(_ descriptor: Int32) throws(DiskFailure) {
    try step("close") { () throws(DiskFailure) in
      openDescriptors.remove(descriptor)
      try system.close(descriptor)
    }
  }

  /// Waits are skipped when calls fail on purpose.
  package func pause() {
    if event == nil { system.pause() }
  }
}
