import CockpitFiles
import CockpitVoice
import LenientJSON

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the voice pipeline of a running screen does, for status bars: a small file in the cache directory. It holds
/// nothing of what is said.
package struct VoiceNote {
  private let folder: CacheDirectory
  private let name: String

  /// Nil without a cache directory.
  package init?(_ settings: Settings) {
    guard let cache = settings.paths.cache else { return nil }
    folder = CacheDirectory(folder: cache)
    name = "voice-\(StableHash.digits(of: settings.profileName)).json"
  }

  /// A status bar can do without it, so a failure of the disk is not reported.
  package func save(_ phase: VoicePhase) {
    var line = JSONObjectWriter()
    line.int("pid", Int(getpid()))
    line.string("phase", phase.rawValue)
    do throws(FileError) {
      try folder.save(line.finish(), name: name)
    } catch {
      return
    }
  }

  /// Nil at rest, where nothing is known, and where the process that wrote it is gone.
  package func load() -> VoicePhase? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try folder.load(name)
    } catch {
      return nil
    }
    guard let bytes, let value = try? JSONValue.parse(bytes), let pid = value["pid"]?.int,
      let process = Int32(exactly: pid), process > 0, kill(process, 0) == 0 || errno == EPERM,
      let phase = value["phase"]?.string.flatMap(VoicePhase.init)
    else { return nil }
    return phase == .idle ? nil : phase
  }
}
