import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The PEM files of a client certificate, looked at before the TLS library reads them: that one asks for the password
/// of a key at the terminal, and its errors do not say what to do.
package enum CertificateFiles {
  private static let limit = 1 << 20

  /// - Parameter key: nil when the certificate's file holds the key too.
  /// - Throws: why these files cannot be used, and what to do.
  package static func check(certificate: String, key: String?) throws(FileError) {
    let own = try text(certificate, named: "client_certificate")
    guard own.text.contains("-----BEGIN CERTIFICATE-----") else {
      throw FileError(
        "client_certificate: '\(certificate)' holds no certificate in PEM; name a file with a line BEGIN CERTIFICATE"
      )
    }
    let name = key ?? certificate
    let named = key == nil ? "client_certificate" : "client_key"
    let secret = key == nil ? own : try text(name, named: named)
    guard secret.text.contains("PRIVATE KEY-----") else {
      throw FileError(
        key == nil
          ? "client_certificate: '\(name)' holds no private key; name its file with client_key"
          : "client_key: '\(name)' holds no private key in PEM; name a file with a line BEGIN PRIVATE KEY"
      )
    }
    guard !secret.isOpenToOthers else {
      throw FileError(
        "\(named): the private key in '\(name)' can be read by others; run: chmod 600 '\(name.replacing("'", with: "'\\''"))'"
      )
    }
    guard !secret.text.contains("BEGIN ENCRYPTED"),
      !secret.text.contains("Proc-Type: 4,ENCRYPTED")
    else {
      throw FileError(
        "\(named): '\(name)' is encrypted, and nobody may be there to type its password; decrypt it into a file of mode 0600: (umask 077; openssl pkey -in '\(name)' -out FILE)"
      )
    }
  }

  /// A link is followed: tools that renew certificates make some.
  private static func text(
    _ path: String, named key: String
  ) throws(FileError) -> (text: String, isOpenToOthers: Bool) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FileError(
        errno == ENOENT || errno == ENOTDIR
          ? "\(key): there is no file '\(path)'; correct the path in the profile"
          : "\(key): '\(path)' cannot be read (\(FileError.systemMessage)); check its owner and mode"
      )
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FileError("\(key): '\(path)' is not a regular file; name a PEM file")
    }
    // A key of the system may be readable for a group in which this user is.
    let others: mode_t = status.st_uid == geteuid() ? 0o077 : 0o007
    let bytes = try SafeFile.contents(of: descriptor, path: path, limit: limit)
    return (String(decoding: bytes, as: UTF8.self), status.st_mode & others != 0)
  }
}
