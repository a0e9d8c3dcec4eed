/// Answers over HTTP as servers send them, written for these tests.
enum Shapes {
  static func chunk(_ delta: String, _ reason: String = "null", id: String = "chatcmpl_r1")
    -> String
  {
    #"data: {"id":"\#(id)","object":"chat.completion.chunk","created":1790000000,"model":"openclaw/wren","choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(reason)}]}"#
      + "\n\n"
  }

  static let usage =
    #"data: {"id":"chatcmpl_r1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17}}"#
    + "\n\n"
  static let done = "data: [DONE]\n\n"

  static let completion =
    chunk(#"{"role":"assistant"}"#) + chunk(#"{"content":"Grüße, "}"#)
    + chunk(#"{"content":"🐦 wren\n"}"#) + chunk(#"{"content":"\u00e9nd."}"#)
    + chunk("{}", #""stop""#)
    + usage + done
  static let completionText = "Grüße, 🐦 wren\nénd."

  /// Protocol 3: a run that failed.
  static let emptyCompletion = chunk("{}", #""stop""#) + done
  static let failedCompletion =
    chunk(#"{"role":"assistant"}"#) + chunk(#"{"content":"One"}"#)
    + "data: {\"error\":{\"message\":\"the provider says 400\",\"type\":\"invalid_request_error\"}}\n\n"
    + done
  static let cutCompletion = chunk(#"{"role":"assistant"}"#) + chunk(#"{"content":"Half an"}"#)
  static let limitedCompletion = chunk(#"{"content":"So far"}"#) + chunk("{}", #""length""#) + done

  static func event(_ type: String, _ more: String) -> String {
    "event: \(type)\r\ndata: {\"type\":\"\(type)\",\(more)}\r\n\r\n"
  }

  static func response(_ status: String, _ more: String = "") -> String {
    #""response":{"id":"resp_r1","status":"\#(status)","model":"openclaw/wren","output":[],"usage":{"input_tokens":0,"output_tokens":0,"total_tokens":0}\#(more)}"#
  }

  static func delta(_ text: String, output: Int = 0) -> String {
    event(
      "response.output_text.delta",
      #""item_id":"m","output_index":\#(output),"content_index":0,"delta":"\#(text)""#)
  }

  static let begun =
    event("response.created", response("in_progress"))
    + event("response.in_progress", response("in_progress"))
    + event("response.output_item.added", #""output_index":0,"item":{"type":"message"}"#)

  static let responses =
    begun + delta("Grüße, ") + delta(#"🐦 wren\n"#) + delta(#"\u00e9nd."#)
    + event(
      "response.output_text.done",
      #""item_id":"m","output_index":0,"content_index":0,"text":"Grüße, 🐦 wren\nénd.""#)
    + event(
      "response.completed",
      #""response":{"id":"resp_r1","status":"completed","model":"openclaw/wren","output":[{"type":"message","content":[{"type":"output_text","text":"Grüße, 🐦 wren\nénd."}]}],"usage":{"input_tokens":12,"output_tokens":5,"total_tokens":17}}"#
    ) + done

  static let failedResponses =
    begun + delta("One")
    + event(
      "response.failed",
      response("failed", #","error":{"code":"api_error","message":"the provider says 400"}"#))
    + done
  /// Protocol 3: a run that failed.
  static let nothingResponses =
    begun
    + event(
      "response.output_text.done",
      #""item_id":"m","output_index":0,"content_index":0,"text":"No response from OpenClaw.""#)
    + event("response.completed", response("completed")) + done
  /// Two messages, of which the first is put right later.
  static let twoParts =
    begun + delta("Looking.") + delta("Found", output: 1) + delta(" it.", output: 1)
    + event(
      "response.output_text.done", #""output_index":0,"content_index":0,"text":"I look.""#)
    + event("response.completed", response("completed")) + done

  static let all: [(name: String, isChat: Bool, text: String)] = [
    ("completion", true, completion), ("empty", true, emptyCompletion),
    ("failed", true, failedCompletion), ("cut", true, cutCompletion),
    ("limited", true, limitedCompletion), ("responses", false, responses),
    ("failed responses", false, failedResponses), ("nothing", false, nothingResponses),
    ("two parts", false, twoParts), ("begun", false, begun),
  ]
}
