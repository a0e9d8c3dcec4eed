import Testing

@testable import CockpitSession

@Suite struct SSHErrorsTests {
  @Test("what OpenSSH 9.2 writes, and what is made of it")
  func sentences() {
    let cases = [
      ("Host key verification failed.\r\n", "The host key of bot is not known."),
      (
        "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.",
        "The host key of bot has changed"
      ),
      ("ops@bot: Permission denied (publickey).\r\n", "asked for no password"),
      (
        "ssh: Could not resolve hostname bot: Name or service not known\r\n",
        "The ssh host bot is not known."
      ),
      (
        "ssh: connect to host bot port 22: Connection refused\r\n",
        "cannot be reached (ssh: connect to host bot port 22: Connection refused)"
      ),
      (
        "Warning: remote port forwarding\nchannel 1: open failed: administratively prohibited: x",
        "AllowTcpForwarding"
      ),
      ("first\n\u{1B}[31mlast\n", "was not opened: "), ("", "it gave no reason"),
    ]
    for (text, words) in cases {
      let sentence = SSHErrors(text).sentence("bot")
      #expect(sentence.contains(words), "\(sentence)")
      #expect(!sentence.contains("\u{1B}") && !sentence.contains("\n"))
      #expect(sentence.hasSuffix("."))
    }
  }
}
