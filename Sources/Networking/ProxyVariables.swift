/// The proxy between us and a backend, by the names of its environment variables. The values may
/// hold a password and are kept elsewhere.
package struct ProxyVariables: Sendable, Hashable {
  /// The variable that names the proxy, spelled as it is set.
  package let proxy: String
  /// The variable that names the hosts which are reached without it: the one that is set, or the one to set.
  package let exceptions: String

  /// Takes names of variables.
  package init(proxy: String, exceptions: String = "NO_PROXY") {
    self.proxy = proxy
    self.exceptions = exceptions
  }

  /// The variables libcurl uses for a backend; nil for a direct connection. libcurl reads
  /// `http_proxy` in lower case only, because a CGI server passes request headers to its children
  /// as `HTTP_…`.
  package init?(for base: BackendURL, environment: (String) -> String?) {
    guard !base.isLoopback else { return nil }
    func isSet(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
    let names = base.scheme == .https ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    guard let name = (names + ["all_proxy", "ALL_PROXY"]).first(where: isSet) else { return nil }
    self.init(proxy: name, exceptions: isSet("no_proxy") ? "no_proxy" : "NO_PROXY")
  }
}
