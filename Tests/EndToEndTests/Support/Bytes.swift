import Foundation

/// What output to a pipe must never hold (promise P1).
enum ForbiddenBytes {
  /// C0 but LF, DEL, C1, bidi controls, line and paragraph separators, and bytes that are no UTF-8;
  /// each as `U+XXXX at offset`.
  static func found(in bytes: [UInt8]) -> [String] {
    var found: [String] = []
    var offset = 0
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .emptyInput: return found
      case .error:
        found.append("no UTF-8 near byte \(offset)")
        offset += 1
      case .scalarValue(let scalar):
        if isForbidden(scalar) {
          found.append("U+\(String(scalar.value, radix: 16, uppercase: true)) at byte \(offset)")
        }
        offset += UTF8.width(scalar)
      }
    }
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0x2028, 0x2029, 0xFEFF: true
    default: false
    }
  }
}
