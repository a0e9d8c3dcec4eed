import CompanionWire
import Foundation
import OpenClawSource
import QRCode
import Testing

@testable import CockpitSession

@Suite struct PairingTextTests {
  private static let hasZbar = ["/usr/bin/zbarimg", "/usr/local/bin/zbarimg"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  private static let variables = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
  private static let body =
    #"{"url":"ws://127.0.0.1:18789","bootstrapToken":"once-4711","expiresAtMs":2000}"#
  private static let payload =
    #"{"endpoint":"wss://claw.example:8443/companion","fingerprint":"\#(String(repeating: "0a", count: 32))","challenge":"bGFudGVybg"}"#

  private static func code(_ body: String) -> String {
    Data(body.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private func read(
    _ text: String, environment: [String: String] = variables
  ) throws -> PairingText {
    try PairingText.read(text, nowMs: 1_000, environment: environment)
  }

  /// An image of texts as QR codes, one beside the other: PGM, four pixels a module.
  private func image(_ texts: [String], in folder: URL) throws -> String {
    let codes = try texts.map { try #require(QRCode(Array($0.utf8), level: .low)).colors() }
    let height = codes.map(\.width).max() ?? 8
    let width = max(8, codes.reduce(0) { $0 + $1.width })
    var pixels = [UInt8](repeating: 255, count: width * height)
    var left = 0
    for (side, colors) in codes {
      for y in 0..<side {
        for x in 0..<side { pixels[y * width + left + x] = UInt8(colors[y * side + x] & 0xFF) }
      }
      left += side
    }
    var bytes = Array("P5 \(width * 4) \(height * 4) 255\n".utf8)
    for y in 0..<height * 4 {
      for x in 0..<width * 4 { bytes.append(pixels[y / 4 * width + x / 4]) }
    }
    let file = folder.appending(path: "code.pgm")
    try Data(bytes).write(to: file)
    return file.path()
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pair-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test("a code, a link, a payload and its link")
  func texts() throws {
    let code = Self.code(Self.body)
    for text in [code, " \(code)\n", "oc-pair://\(code)", "oc-pair://\(code)/"] {
      guard case .setupCode(let read) = try read(text) else {
        Issue.record("\(text)")
        continue
      }
      #expect(read.url == "ws://127.0.0.1:18789" && read.bootstrapToken == "once-4711")
    }
    for text in [Self.payload, "oc-pair://\(Self.code(Self.payload))"] {
      guard case .companion(let read) = try read(text) else {
        Issue.record("\(text)")
        continue
      }
      #expect(read.endpoint == "wss://claw.example:8443/companion")
    }
  }

  @Test("what is neither has the sentence of what it resembles")
  func problems() {
    let old = Self.code(#"{"url":"ws://h","bootstrapToken":"t","expiresAtMs":999}"#)
    let cases: [(String, PairingText.Problem)] = [
      ("", .setupCode(.empty)), ("hello world!", .setupCode(.characters)),
      (old, .setupCode(.expired)), ("{}", .companion(.endpoint)),
      (#"{"endpoint":"ws://claw.example","challenge":"YQ"}"#, .companion(.plain)),
      (#"{"endpoint":"wss://h","challenge":"YQ","fingerprint":"00"}"#, .companion(.fingerprint)),
      ("oc-pair://" + Self.code(#"{"endpoint":"wss://h"}"#), .companion(.challenge)),
      ("/nowhere/code.png", .image(.missing)), ("no-such.jpeg", .image(.missing)),
    ]
    for (text, problem) in cases {
      #expect(throws: problem, "\(text)") { try read(text) }
    }
  }

  @Test("an image that is none is not given to any program")
  func formats() throws {
    try withFolder { folder in
      let file = folder.appending(path: "code.png")
      for body in ["<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "push graphic-context", "%!PS"] {
        try Data(body.utf8).write(to: file)
        #expect(throws: PairingText.Problem.image(.format)) { try read(file.path()) }
      }
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      #expect(throws: PairingText.Problem.image(.missing)) { try read(file.path()) }
    }
  }

  @Test("without zbarimg the sentence says how to install it")
  func absent() throws {
    try withFolder { folder in
      let file = try image([Self.payload], in: folder)
      #expect(throws: PairingText.Problem.image(.noProgram)) {
        try read(file, environment: ["PATH": folder.path()])
      }
      #expect(QRImage.Problem.noProgram.description.contains("apt install zbar-tools"))
    }
  }

  @Test("a program that floods is read to a limit, one that fails is said to")
  func hostileProgram() throws {
    try withFolder { folder in
      let file = try image([Self.payload], in: folder)
      let program = folder.appending(path: "zbarimg").path()
      for (script, problem) in [
        ("head -c 3000000 /dev/zero | tr '\\0' 'x'", PairingText.Problem.otherCode),
        ("exit 2", .image(.failed)), ("exit 4", .image(.noCode)),
      ] {
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        #expect(throws: problem, "\(script)") {
          try read(file, environment: ["PATH": "\(folder.path()):/usr/bin:/bin"])
        }
      }
    }
  }

  @Test("an image through zbarimg", .enabled(if: hasZbar, "zbarimg is not here"))
  func images() throws {
    try withFolder { folder in
      let code = Self.code(Self.body)
      let link = "oc-pair://\(Self.code(Self.payload))"
      // Another code beside it does not matter; two of gateways do.
      let page = "https://example.com/manual"
      for (codes, wanted) in [
        ([code], code), ([link], Self.payload), ([Self.payload], Self.payload),
        ([page, code], code),
      ] {
        let (found, expected) = (try read(image(codes, in: folder)), try read(wanted))
        #expect(found == expected, "\(codes)")
      }
      #expect(throws: PairingText.Problem.severalCodes) {
        try read(image([code, link], in: folder))
      }
      #expect(throws: PairingText.Problem.otherCode) { try read(image([page], in: folder)) }
      #expect(throws: PairingText.Problem.image(.noCode)) { try read(image([], in: folder)) }
      let old = Self.code(#"{"url":"ws://h","bootstrapToken":"t","expiresAtMs":999}"#)
      #expect(throws: PairingText.Problem.setupCode(.expired)) {
        try read(image([old], in: folder))
      }
    }
  }
}
