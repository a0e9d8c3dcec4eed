import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The file of the running program.
package enum ProgramFile {
  /// Its path with links resolved; nil if the system does not report it.
  package static var path: String? {
    #if os(Linux)
      // Foundation's Bundle makes the same call, but lists the directory twice first.
      var name = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = name.withUnsafeMutableBytes { buffer -> Int in
        let start = buffer.bindMemory(to: CChar.self).baseAddress
        return start.map { readlink("/proc/self/exe", $0, buffer.count) } ?? 0
      }
      guard count > 0 else { return nil }
      return String(decoding: name[..<count], as: UTF8.self)
    #else
      return Bundle.main.executableURL?.resolvingSymlinksInPath().path(percentEncoded: false)
    #endif
  }
}
