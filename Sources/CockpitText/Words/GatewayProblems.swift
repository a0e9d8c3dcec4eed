import CockpitStores

extension GatewayOverview {
  /// What is wrong with a gateway by its own words, a sentence each: jobs that failed, channels with an error, and that
  /// it is slow.
  package var problems: [String] {
    func shown(_ text: String) -> String { String(VisibleText().of(text).prefix(200)) }
    var sentences = jobs.compactMap { job -> String? in
      guard job.isEnabled, let status = job.lastStatus, status == "error" else { return nil }
      return "the job \(shown(job.name ?? job.id)) failed"
        + (job.lastError.map { ": \(shown($0))" } ?? "")
    }
    sentences += channels.compactMap { channel in
      guard channel.isConfigured, let error = channel.lastError else { return nil }
      return "the channel \(shown(channel.name)): \(shown(error))"
    }
    if let loopProblem { sentences.append("the gateway is slow: \(shown(loopProblem))") }
    return sentences
  }
}
