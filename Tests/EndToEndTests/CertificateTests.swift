import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// https to something that must not be trusted, or is none. There is no way around the check.
  @Suite(
    "certificates (promises P4b, P6)",
    .enabled(if: TestAuthority.isThere, "\(TestAuthority.tool) is not there"))
  struct CertificateTests {
    static let token = "Sesame-0815-open"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ verb: [String], _ url: String) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, verb + ["--url", url],
        environment: Tool.environment(home: home, token: Self.token))
    }

    enum Fault: String, CaseIterable {
      case expired, future, otherName, selfSigned, unknownAuthority

      /// The library's words for it, and ours for the next step.
      var says: [String] {
        switch self {
        case .expired: ["certificate has expired", "Renew it", "set the clock"]
        case .future: ["not yet valid", "Set the clock of this machine"]
        case .otherName: ["subject name", "host name that the certificate is for"]
        case .selfSigned: ["self", "the certificate itself, with --ca-file"]
        case .unknownAuthority: ["Add the authority that signed it"]
        }
      }

      func pair(_ authority: TestAuthority) throws -> (key: String, certificate: String) {
        let (past, future) = ("20200101000000Z", "20400101000000Z")
        switch self {
        case .expired:
          return try authority.leaf(
            rawValue, for: "IP:127.0.0.1", from: past, to: "20200201000000Z")
        case .future:
          return try authority.leaf(
            rawValue, for: "IP:127.0.0.1", from: future, to: "20410101000000Z")
        case .otherName:
          return try authority.leaf(
            rawValue, for: "DNS:elsewhere.example", from: past, to: future)
        case .selfSigned: return try authority.selfSigned(rawValue, for: "IP:127.0.0.1")
        case .unknownAuthority:
          return try authority.leaf(rawValue, for: "IP:127.0.0.1", from: past, to: future)
        }
      }

      /// Whether the authority is named, so that nothing else is wrong.
      var isAuthorityGiven: Bool { self != .selfSigned && self != .unknownAuthority }
    }

    @Test("what is wrong is named with the next step, and nothing is said to that server")
    func faults() throws {
      let authority = try TestAuthority(home)
      for fault in Fault.allCases {
        let server = try TLSEndpoint(try fault.pair(authority))
        let anchor = fault.isAuthorityGiven ? ["--ca-file", authority.certificate] : []
        for verb in [["tail", "--json"], ["snapshot", "--view", "pulse"], ["status"]] {
          let process = try run(verb + anchor, server.url)
          #expect(process.wait() == .exited(3), "\(fault), \(verb[0]): \(process.errorText)")
          let text = process.errorText
          #expect(text.split(separator: "\n").count == 1, "\(fault), \(verb[0]): \(text)")
          for words in ["The TLS certificate of 127.0.0.1 was not accepted"] + fault.says {
            #expect(text.contains(words), "\(fault), \(verb[0]): \(text)")
          }
        }
        let cockpit = try Cockpit(
          ["--url", server.url] + anchor, home: home, token: Self.token, columns: 160)
        try cockpit.see("The TLS certificate of 127.0.0.1 was not accepted")
        try cockpit.see(fault.says[0])
        cockpit.type("q")
        cockpit.expectEnd(.exited(0), what: fault.rawValue)
        #expect(server.heard.isEmpty, "\(fault): \(server.heard)")
      }
    }

    @Test("the same server with a certificate that holds is spoken to")
    func good() throws {
      let authority = try TestAuthority(home)
      let server = try TLSEndpoint(
        try authority.leaf(
          "good", for: "IP:127.0.0.1", from: "20200101000000Z", to: "20400101000000Z"))
      let process = try run(["tail", "--ca-file", authority.certificate], server.url)
      #expect(process.pump { server.heard.contains(Self.token) }, "\(process.errorText)")
      #expect(server.heard.contains("GET /api/activity/events HTTP/1.1\r\n"))
    }

    @Test("the wrong scheme is named as that, in both directions")
    func scheme() throws {
      let authority = try TestAuthority(home)
      let tls = try TLSEndpoint(
        try authority.leaf(
          "plain", for: "IP:127.0.0.1", from: "20200101000000Z", to: "20400101000000Z"))
      let quick = try StubServer(greeting: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) { _ in
        StubReply(isClosed: true)
      }
      // It waits for the end of a line, which never comes.
      let patient = try StubServer { _ in StubReply(isClosed: true) }
      defer {
        quick.stop()
        patient.stop()
      }
      let secure = (
        quick: "https://127.0.0.1:\(quick.port)", patient: "https://127.0.0.1:\(patient.port)"
      )
      for verb in [["tail"], ["snapshot", "--view", "pulse"], ["status", "--timeout", "20"]] {
        let runs = try [
          (run(verb, "http://127.0.0.1:\(tls.port)"), ["--url"]),
          (run(verb, secure.quick), ["does not speak TLS as it should", "http:// in --url"]),
          (run(verb, secure.patient), ["did not begin TLS in time", "http:// in --url"]),
        ]
        for (process, says) in runs {
          #expect(process.wait() == .exited(3), "\(verb[0]): \(process.errorText)")
          for words in says {
            #expect(process.errorText.contains(words), "\(verb[0]): \(process.errorText)")
          }
          #expect(!process.errorText.contains("certificate"), "\(verb[0]): \(process.errorText)")
        }
      }
      let cockpit = try Cockpit(
        ["--url", secure.quick], home: home, token: Self.token, columns: 160)
      try cockpit.see("does not speak TLS as it should")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(quick.requests.isEmpty && patient.requests.isEmpty)
    }
  }
}
