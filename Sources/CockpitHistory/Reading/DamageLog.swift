internal import Synchronization

/// The records that could not be read so far, each counted once.
final class DamageLog: Sendable {
  private struct Log {
    var rows: Set<Int64> = []
    var records: Set<String> = []
    var files: [String: String] = [:]
    var stretches: Set<RecordedOutage> = []
  }

  private let log = Mutex(Log())

  func note(row seq: Int64) { log.withLock { _ = $0.rows.insert(seq) } }
  func note(record: String) { log.withLock { _ = $0.records.insert(record) } }
  func note(file: String, _ reason: String) { log.withLock { $0.files[file] = reason } }
  func note(block stretch: RecordedOutage) { log.withLock { _ = $0.stretches.insert(stretch) } }

  var damage: HistoryDamage {
    log.withLock { log in
      var damage = HistoryDamage()
      damage.rows = log.rows.count
      damage.records = log.records.count
      damage.files = log.files
      return damage
    }
  }

  var stretches: [RecordedOutage] { log.withLock { Array($0.stretches) } }
}
