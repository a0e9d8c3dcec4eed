import CockpitChat
import CockpitFiles
import Networking

/// A clock that moves when it is told to.
@MainActor
final class StepClock: LinkClock {
  private final class Timer: LinkTimer {
    var body: (@MainActor () -> Void)?
    let dueNs: UInt64

    init(_ dueNs: UInt64, _ body: @escaping @MainActor () -> Void) {
      self.dueNs = dueNs
      self.body = body
    }

    func cancel() { body = nil }
  }

  private(set) var nowNs: UInt64 = 1_000_000_000
  private var timers: [Timer] = []
  var wallMs: Int64 { 1_780_000_000_000 + Int64(nowNs / 1_000_000) }

  func schedule(afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void) -> any LinkTimer {
    let timer = Timer(nowNs + delayNs, body)
    timers.append(timer)
    return timer
  }

  func advance(ms: UInt64) {
    nowNs += ms * 1_000_000
    let due = timers.filter { $0.dueNs <= nowNs }
    timers.removeAll { $0.dueNs <= nowNs }
    for timer in due { timer.body?() }
  }
}

/// A server that says what a test has it say.
@MainActor
final class ScriptedChat: ChatBackend {
  private final class Answer: ChatAnswer {
    let number: Int
    unowned let chat: ScriptedChat

    init(_ number: Int, _ chat: ScriptedChat) {
      self.number = number
      self.chat = chat
    }

    func cancel() { chat.cancelled.append(number) }
  }

  var abilities: ChatAbilities = [.images, .serverHistory, .tools]
  private(set) var turns: [ChatTurn] = []
  fileprivate(set) var cancelled: [Int] = []
  private var tells: [@MainActor (ChatEvent) -> Void] = []

  func send(
    _ turn: ChatTurn, tell: @escaping @MainActor (ChatEvent) -> Void
  ) -> any ChatAnswer {
    turns.append(turn)
    tells.append(tell)
    return Answer(turns.count - 1, self)
  }

  func agents(_ done: @escaping @MainActor (Result<[ChatAgent], ChatFailure>) -> Void) {
    done(.success([ChatAgent(id: "main")]))
  }

  private(set) var changes: [(ChatSetting, session: String)] = []
  /// Why a setting is not taken.
  var refusal: ChatFailure?

  func change(
    _ setting: ChatSetting, session key: String,
    _ done: @escaping @MainActor (ChatFailure?) -> Void
  ) {
    changes.append((setting, key))
    done(refusal)
  }

  /// Says it to the last answer, or to the one with this number.
  func tell(_ events: ChatEvent..., to number: Int? = nil) {
    for event in events { tells[number ?? tells.count - 1](event) }
  }
}

/// The disk, which is full when a test says so: then it takes a few bytes of a write and no more.
final class FillableDisk: Disk {
  private let disk = SystemDisk()
  var isFull = false
  private var room = 7
  private static let noSpace: Int32 = 28

  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(DiskFailure) -> Int {
    guard isFull else {
      room = 7
      return try disk.write(bytes, to: descriptor)
    }
    guard room > 0 else { throw DiskFailure(Self.noSpace) }
    let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(room))
    room = 0
    return try disk.write(head, to: descriptor)
  }

  func makeFolder(_ name: String, in folder: Int32?) throws(DiskFailure) {
    try disk.makeFolder(name, in: folder)
  }
  func open(_ name: String, in folder: Int32?, for purpose: OpenPurpose) throws(DiskFailure)
    -> Int32
  {
    try disk.open(name, in: folder, for: purpose)
  }
  func status(of descriptor: Int32) throws(DiskFailure) -> FileStatus {
    try disk.status(of: descriptor)
  }
  func status(of name: String, in folder: Int32?) throws(DiskFailure) -> FileStatus {
    try disk.status(of: name, in: folder)
  }
  func setMode(_ mode: UInt32, of descriptor: Int32) throws(DiskFailure) {
    try disk.setMode(mode, of: descriptor)
  }
  func lock(_ descriptor: Int32, isShared: Bool) throws(DiskFailure) {
    try disk.lock(descriptor, isShared: isShared)
  }
  func lock(_ descriptor: Int32, at offset: Int) throws(DiskFailure) {
    try disk.lock(descriptor, at: offset)
  }
  func unlock(_ descriptor: Int32, at offset: Int) throws(DiskFailure) {
    try disk.unlock(descriptor, at: offset)
  }
  func read(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
  ) throws(DiskFailure) -> Int {
    try disk.read(buffer, from: descriptor, at: offset)
  }
  func truncate(_ descriptor: Int32, to size: Int) throws(DiskFailure) {
    try disk.truncate(descriptor, to: size)
  }
  func synchronize(_ descriptor: Int32) throws(DiskFailure) { try disk.synchronize(descriptor) }
  func rename(_ name: String, to newName: String, in folder: Int32) throws(DiskFailure) {
    try disk.rename(name, to: newName, in: folder)
  }
  func remove(_ name: String, in folder: Int32) throws(DiskFailure) {
    try disk.remove(name, in: folder)
  }
  func names(in folder: Int32, limit: Int) throws(DiskFailure) -> [String] {
    try disk.names(in: folder, limit: limit)
  }
  func close(_ descriptor: Int32) throws(DiskFailure) { try disk.close(descriptor) }
  func pause() { disk.pause() }
}
