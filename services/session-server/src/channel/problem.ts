type ChannelProblemKind =
  /** The message is not valid at this point of the protocol. */
  | 'malformed'
  /** The other side is not authentic. */
  | 'not-authentic'
  /** A frame was altered, repeated, omitted or belongs to another connection. */
  | 'broken'

/** Why a connection is closed. Nothing received on it afterwards is trusted. */
export class ChannelProblem extends Error {
  override readonly name = 'ChannelProblem'
  readonly kind: ChannelProblemKind

  constructor(kind: ChannelProblemKind, message: string) {
    super(message)
    this.kind = kind
  }
}
