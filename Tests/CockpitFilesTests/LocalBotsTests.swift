import Testing

@testable import CockpitFiles

/// The output of the tools, as their documentation and sources spell it.
@Suite struct LocalBotsTests {
  @Test("avahi-browse: resolved services, escapes, addresses of one link, each once")
  func avahi() {
    let bots = LocalBots.read(
      #"""
      +;eth0;IPv4;Den\032Bot;_clanky._tcp;local
      =;eth0;IPv6;Den\032Bot;_clanky._tcp;local;den.local;fe80::1;8787;"path=/"
      =;eth0;IPv4;Den\032Bot;_clanky._tcp;local;den.local;192.168.1.5;8787;"path=/"
      =;eth0;IPv4;Den\032Bot;_clanky._tcp;local;den.local;192.168.1.5;8787;"path=/"
      =;eth0;IPv4;a\;b\195\132;_clanky._tcp;local;x.local;10.0.0.9;80;
      =;eth0;IPv4;web;_http._tcp;local;x.local;10.0.0.9;80;
      =;eth0;IPv4;odd;_clanky._tcp;local;x.local;10.0.0.9/evil;80;
      =;eth0;IPv4;port;_clanky._tcp;local;x.local;10.0.0.9;0;
      =;eth0
      """#, of: .avahi)
    #expect(bots.map(\.url) == ["http://192.168.1.5:8787", "http://10.0.0.9:80"])
    #expect(bots.map(\.name) == ["Den Bot", "a;bÄ"])
  }

  @Test("dns-sd -Z: the SRV records")
  func zone() {
    let bots = LocalBots.read(
      #"""
      ; To direct clients to browse a different domain, substitute that domain in place of '@'
      _clanky._tcp                                    PTR     Den\032Bot._clanky._tcp
      Den\032Bot._clanky._tcp                         SRV     0 0 8787 Den.local. ; Replace with unicast FQDN of target host
      Den\032Bot._clanky._tcp                         TXT     "token=no"
      evil._clanky._tcp                               SRV     0 0 8787 http://x@y ; no
      """#, of: .dnsSD)
    #expect(bots.map(\.url) == ["http://den.local:8787"])
    #expect(bots.map(\.name) == ["Den Bot"])
  }

  @Test("no more than twenty, and nothing of an output that is none")
  func limits() {
    let many = (1...60).map {
      "=;eth0;IPv4;n\($0);_clanky._tcp;local;h.local;10.0.0.\($0);8787;"
    }.joined(separator: "\n")
    #expect(LocalBots.read(many, of: .avahi).count == 20)
    #expect(LocalBots.read("\u{1B}[2J;;;;;;;;;;", of: .avahi).isEmpty)
  }
}
