type ChannelProblemKind =
  /** What arrived is not what the protocol has at this place. */
  | 'malformed'
  /** The other side is not who it must be. */
  | 'not-authentic'
  /** A frame was altered, repeated, left out or belongs to another connection. */
  | 'broken'

/** Why a connection is given up. After it nothing of the connection is believed. */
export class ChannelProblem extends Error {
  override readonly name = 'ChannelProblem'
  readonly kind: ChannelProblemKind

  constructor(kind: ChannelProblemKind, message: string) {
    super(message)
    this.kind = kind
  }
}
