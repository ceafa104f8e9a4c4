import { MAX_FRAME_BYTES } from './messages.ts'
import { ChannelProblem } from './problem.ts'

const LENGTH_BYTES = 4

/** A message with its length before it, as it is written into TLS. */
export function framed(content: Uint8Array): Buffer {
  if (content.length > MAX_FRAME_BYTES) throw new ChannelProblem('malformed', 'a message is too long')
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + content.length)
  frame.writeUInt32BE(content.length)
  frame.set(content, LENGTH_BYTES)
  return frame
}

/** Cuts what is read from TLS into messages. */
export class MessageReader {
  #room: Buffer = Buffer.alloc(0)
  #from = 0
  #to = 0

  /** Takes what was read. The room doubles: a message that comes byte by byte costs no more than it is long. */
  add(piece: Buffer): void {
    const held = this.#to - this.#from
    if (held === 0) [this.#room, this.#from, this.#to] = [piece, 0, 0]
    else if (this.#to + piece.length > this.#room.length) this.#grow(Math.max(2 * held, held + piece.length))
    if (held > 0) piece.copy(this.#room, this.#to)
    this.#to += piece.length
  }

  /** The next whole message. Throws `ChannelProblem` as soon as one announces more than is allowed. */
  next(): Buffer | undefined {
    if (this.#to - this.#from < LENGTH_BYTES) return undefined
    const begin = this.#from + LENGTH_BYTES
    const end = begin + this.#room.readUInt32BE(this.#from)
    if (end - begin > MAX_FRAME_BYTES) throw new ChannelProblem('malformed', 'a message is too long')
    if (this.#to < end) return undefined
    this.#from = end
    return this.#room.subarray(begin, end)
  }

  #grow(bytes: number): void {
    const room = Buffer.allocUnsafeSlow(bytes)
    this.#to = this.#room.copy(room, 0, this.#from, this.#to)
    this.#room = room
    this.#from = 0
  }
}
