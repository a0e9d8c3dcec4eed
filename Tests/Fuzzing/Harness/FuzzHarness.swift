#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import ParserProperties

/// What libFuzzer calls for every input. The property comes from the environment, because the
/// arguments are libFuzzer's own.
private let property: Property = {
  let name = getenv("CLANKY_FUZZ_PROPERTY").map { String(cString: $0) } ?? ""
  guard let property = Property.named(name) else {
    fatalError("CLANKY_FUZZ_PROPERTY is one of \(Property.all.map(\.name))")
  }
  return property
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try property.check(Array(UnsafeBufferPointer(start: data, count: count)))
  } catch {
    let words = Array("\nproperty \(property.name) does not hold: \(error)\n".utf8)
    _ = write(STDERR_FILENO, words, words.count)
    abort()
  }
  return 0
}
