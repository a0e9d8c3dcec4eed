import CockpitAnswers
import CockpitFiles
import LenientJSON

/// What is remembered of alarms across restarts: files of the state folder, one set for each bot, mode 0600, replaced
/// whole. The silences are shared by the cockpit and `watch`; each of the two has a latch of its own, because
/// they tell different people.
@MainActor
package final class AlarmFiles {
  package enum Owner: String, Sendable { case watch, cockpit }

  /// The state of `watch`.
  package struct Saved: Sendable {
    package var latch = AlarmLatch()
    package var outbox: [AlarmDelivery] = []
    /// When it last looked, in ms since 1970 on the backend's clock.
    package var lookedMs: Int64?

    package init() {}
  }

  private let state: String
  private let folder: CacheDirectory
  private let disk: any Disk
  private let stem: String
  /// What went wrong and was not said yet; a failure that lasts is said once.
  private var complaints: [String] = []
  private var said: Set<String> = []

  /// nil if there is no state folder.
  package init?(state: String?, bot: String, disk: any Disk = SystemDisk()) {
    guard let state else { return nil }
    self.state = state
    self.disk = disk
    folder = CacheDirectory(folder: state, disk: disk)
    stem = "alarms-" + String(StableHash.of(bot), radix: 16)
  }

  private var silencesName: String { stem + ".silences" }
  private func name(_ owner: Owner) -> String { "\(stem).\(owner.rawValue)" }

  /// Failures since the last call, each a sentence.
  package func takeComplaints() -> [String] {
    defer { complaints = [] }
    return complaints
  }

  private func complain(_ text: String) {
    if said.insert(text).inserted { complaints.append(text) }
    if said.count > 100 { said = [] }
  }

  // MARK: Silences

  /// The silences; none where there is no file, or an unreadable one, which is set aside.
  package func silences() -> AlarmSilences {
    json(silencesName).map(AlarmSilences.init(json:)) ?? AlarmSilences()
  }

  /// Changes the silences, in turn with other processes.
  ///
  /// - Returns: the new ones, also where they could not be written: `takeComplaints` says so.
  @discardableResult
  package func change(_ body: (inout AlarmSilences) -> Void) -> AlarmSilences {
    var claim: CacheDirectory.Claim?
    do throws(FileError) {
      // Others hold it for the time of one write.
      for _ in 0..<20 {
        claim = try folder.claim(silencesName)
        if claim != nil { break }
      }
    } catch {
      complain(error.description)
    }
    defer { claim?.release() }
    var silences = silences()
    body(&silences)
    save(silences.json, silencesName)
    return silences
  }

  // MARK: The latch

  /// The right to be the only `watch` of this bot; nil if another process has it.
  package func claimWatch() throws(FileError) -> CacheDirectory.Claim? {
    try folder.claim(name(.watch))
  }

  package func load(_ owner: Owner) -> Saved {
    json(name(owner)).map(Saved.init(json:)) ?? Saved()
  }

  /// - Returns: whether it is on the disk.
  @discardableResult
  package func save(_ saved: Saved, _ owner: Owner) -> Bool { save(saved.json, name(owner)) }

  // MARK: Files

  private func json(_ name: String) -> JSONValue? {
    do throws(FileError) {
      guard let bytes = try folder.load(name) else { return nil }
      if let json = try? JSONValue.parse(bytes), json["version"]?.int == 1 { return json }
      try folder.setAside(name)
      complain("'\(state)/\(name)' could not be read and was set aside; what it remembered is lost")
    } catch {
      complain(error.description)
    }
    return nil
  }

  @discardableResult
  private func save(_ json: JSONValue, _ name: String) -> Bool {
    var bytes: [UInt8] = []
    json.write(to: &bytes, ascii: true)
    do throws(FileError) {
      try AtomicFile.replace("\(state)/\(name)", with: bytes, disk: disk)
      return true
    } catch {
      complain("\(error.description); until it can be, a restart may repeat an alarm")
      return false
    }
  }
}

/// A message that has not arrived everywhere.
package struct AlarmDelivery: Hashable, Sendable {
  package var message: AlarmMessage
  /// Where it is still to go.
  package var channels: Set<String>

  package init(_ message: AlarmMessage, to channels: Set<String>) {
    self.message = message
    self.channels = channels
  }
}
