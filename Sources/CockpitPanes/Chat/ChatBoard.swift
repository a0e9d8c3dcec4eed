import CockpitChat
import CockpitVoice

/// What the screen shows of the conversations with a source's agents.
package struct ChatBoard: Sendable {
  /// The agents to choose from.
  package enum Agents: Hashable, Sendable {
    case unknown
    case asking
    case known([ChatAgent])
    case failed(String)
  }

  /// An image that goes with the next message.
  package struct Attachment: Hashable, Sendable {
    package var name: String
    package var bytes: Int
    /// Nil until it is decoded.
    package var preview: ImagePreview?

    package init(name: String, bytes: Int, preview: ImagePreview? = nil) {
      self.name = name
      self.bytes = bytes
      self.preview = preview
    }
  }

  /// The channels of the source, in the user's order.
  package var channels: [ChatChannel]
  /// The one that is shown.
  package var channel: ChatChannel
  package var transcript: ChatTranscript
  package var abilities: ChatAbilities
  /// The agent of a channel that names none, as far as the source says it.
  package var defaultAgent: String?
  /// Channels with an answer under way.
  package var underWay: Set<ChatChannel.ID> = []
  package var agents = Agents.unknown
  /// The draft of a channel: what was typed and not sent.
  package var draft = ""
  package var attachments: [Attachment] = []
  /// Messages of the channel that wait for the answer under way.
  package var queued: [String] = []
  /// Pictures of the images of messages that were sent in this run.
  package var previews: [ChatEntry.ID: [ImagePreview]] = [:]
  /// Why the conversation is not kept on the disk.
  package var diskProblem: String?
  /// Nil where nothing is spoken or heard.
  package var voice: VoiceBoard?

  package init(
    channels: [ChatChannel], channel: ChatChannel, transcript: ChatTranscript,
    abilities: ChatAbilities
  ) {
    self.channels = channels
    self.channel = channel
    self.transcript = transcript
    self.abilities = abilities
  }
}

/// A request of the chat drawer to the program.
package enum ChatRequest: Hashable, Sendable {
  /// Read the conversation, if that was not done.
  case open
  case send(String)
  /// To the voice pipeline.
  case voice(VoiceRequest)
  /// Stop the answer under way in the channel.
  case abort
  /// Send the last message again.
  case retry
  case newConversation
  /// The text in the input, which is kept.
  case draft(String)
  case attach(path: String)
  case detach
  /// Write the conversation to a file; nil chooses its name.
  case export(path: String?)
  case askAgents
  /// Tell the server something beside messages.
  case signal(ChatSignal)
  /// Another model from now on; nil is the agent's own.
  case setModel(String?)
  /// How long the model thinks; nil is the agent's own.
  case setThinking(String?)
  /// Send this after the answer under way.
  case queue(String)
  /// Send what is queued now.
  case sendQueued
  /// Drop a queued message, counted from 1; nil drops all.
  case dropQueued(Int?)
  case setAgent(String?)
  case choose(ChatChannel.ID)
  case add(name: String, agent: String?)
  case rename(ChatChannel.ID, to: String)
  case delete(ChatChannel.ID)
  case move(ChatChannel.ID, by: Int)
}
