internal import LenientJSON
internal import Networking
package import ClankyWire

/// What was typed into the form of a setting and not saved yet.
package struct SettingsDraft: Hashable, Sendable {
  package var path: SettingPath
  package var text: String
  /// When it was typed, in ms since 1970 on the local clock.
  package var atMs: Int64

  package init(path: SettingPath, text: String, atMs: Int64) {
    self.path = path
    self.text = text
    self.atMs = atMs
  }

  /// Its file.
  func bytes(backend: String) -> [UInt8] {
    let json = JSONValue.body([
      ("backend", .string(backend)), ("setting", .string(path.description)),
      ("at_ms", .integer(atMs)), ("text", .string(text)),
    ])
    return Array(json.serialized().utf8)
  }

  /// nil if it is none, or one of another backend.
  init?(_ bytes: [UInt8], backend: String) {
    guard let json = try? JSONValue.parse(bytes), json["backend"]?.string == backend,
      let path = json["setting"]?.string.flatMap({ SettingPath($0) }),
      let text = json["text"]?.string
    else { return nil }
    self.init(path: path, text: text, atMs: Int64(json["at_ms"]?.double ?? 0))
  }

  /// The name of its file.
  static func name(_ path: SettingPath, backend: String) -> String { "\(backend) \(path)" }
}

/// Drafts of settings: on the disk while they are typed, until they are saved or dropped. The last run of the program
/// that types wins.
extension SettingsService {
  func loadDrafts() {
    guard let storage else { return }
    do {
      for bytes in try storage.settingsDrafts() {
        guard let draft = SettingsDraft(bytes, backend: backend) else { continue }
        // What was typed in this run is newer, or is being sent.
        if store.drafts[draft.path] == nil { store.drafts[draft.path] = draft }
      }
    } catch {
      store.diskProblem = "The drafts of settings could not be read: \(error)"
    }
  }

  func keepDraft(_ path: SettingPath, _ text: String) {
    let draft = SettingsDraft(path: path, text: text, atMs: clock.wallMs)
    store.drafts[path] = draft
    let name = SettingsDraft.name(path, backend: backend)
    // What may be a secret stays in memory.
    hasDraftFile = false
    guard let storage, !SettingSecrecy.mayHoldSecret(text, at: path) else {
      return removeDraftFile(name)
    }
    do {
      try storage.saveSettingsDraft(draft.bytes(backend: backend), name: name)
      hasDraftFile = true
    } catch {
      store.diskProblem = "The draft could not be saved and is in memory only: \(error)"
    }
  }

  func dropDraft(_ path: SettingPath) {
    guard store.drafts.removeValue(forKey: path) != nil else { return }
    removeDraftFile(SettingsDraft.name(path, backend: backend))
  }

  private func removeDraftFile(_ name: String) {
    do {
      try storage?.removeSettingsDraft(name: name)
    } catch {
      store.diskProblem =
        "A draft could not be removed and will be back at the next start: \(error)"
    }
  }
}
