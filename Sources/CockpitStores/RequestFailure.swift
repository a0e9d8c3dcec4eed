package import Networking
internal import ClankyWire

/// Why a request brought nothing that can be used. Screens show its `sentence`, verbs take their exit
/// code from its kind.
package enum RequestFailure: Error, Sendable, Equatable {
  /// No answer, or none of a Clanky backend's.
  case unanswered(RestFailure)
  /// The backend's own answer with another status than success; `words` is its `error` or `reason`,
  /// which is untrusted text.
  case refused(status: Int, words: String?)
  /// An answer with a status of success that cannot be understood.
  case unreadable
  /// Anything else, as one sentence that says what to do: no request was sent, or the answer means
  /// no.
  case other(String)

  /// The backend's own error answer.
  package init(refusal answer: RestAnswer) {
    self = .refused(status: answer.status, words: ErrorBody(body: answer.body).message)
  }

  /// What happened and what to do, one sentence or two.
  package var sentence: String {
    switch self {
    case .unanswered(let failure): failure.description
    case .refused(let status, let words):
      status >= 500
        ? LinkFailure.serverError(status: status, message: words ?? "").description
        : ChangeAnswer.refusal(status, words)
    case .unreadable: "The answer could not be understood; reload, and check the backend's version."
    case .other(let sentence): sentence
    }
  }
}

extension RequestFailure: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(sentence) }
}
