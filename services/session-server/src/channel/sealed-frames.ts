import { createCipheriv, createDecipheriv } from 'node:crypto'
import { type Identity, isSignedBy } from './identity.ts'
import { ChannelProblem } from './problem.ts'

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
const SIGNATURE_BYTES = 64

export interface Direction {
  readonly name: string
  /** AES-256, for this connection and direction alone. */
  readonly key: Buffer
}

interface SealedFramesOptions {
  /** Identifies the connection: the hash of its whole handshake. */
  readonly connection: Buffer
  readonly sending: Direction
  readonly receiving: Direction
  readonly own: Identity
  /** Public key of the other side. */
  readonly peer: string
}

/**
 * The two streams of frames of one connection. A frame is its content, signed by the sender's identity, under
 * AES-256-GCM with the frame's number as nonce. Numbers are counted, not sent: a frame that was altered, repeated,
 * omitted, reordered or taken from another connection does not open, and nothing opens after it.
 */
export class SealedFrames {
  readonly #options: SealedFramesOptions
  #sent = 0n
  #received = 0n
  #broken = false

  constructor(options: SealedFramesOptions) {
    this.#options = options
  }

  seal(content: Uint8Array): Buffer {
    const { sending, own } = this.#options
    const number = this.#sent++
    const cipher = createCipheriv(CIPHER, sending.key, nonceOf(number), { authTagLength: TAG_BYTES })
    const signature = own.sign(this.#signed(sending, number, content))
    return Buffer.concat([cipher.update(signature), cipher.update(content), cipher.final(), cipher.getAuthTag()])
  }

  open(frame: Uint8Array): Buffer {
    const number = this.#received++
    const content = this.#broken ? undefined : this.#opened(frame, number)
    if (content) return content
    this.#broken = true
    throw new ChannelProblem('broken', `frame ${number} is not the one the other side sent`)
  }

  #opened(frame: Uint8Array, number: bigint): Buffer | undefined {
    const { receiving, peer } = this.#options
    const plain = decrypted(receiving.key, number, frame)
    if (!plain || plain.length < SIGNATURE_BYTES) return undefined
    const content = plain.subarray(SIGNATURE_BYTES)
    const signed = this.#signed(receiving, number, content)
    return isSignedBy(peer, signed, plain.subarray(0, SIGNATURE_BYTES)) ? content : undefined
  }

  #signed({ name }: Direction, number: bigint, content: Uint8Array): Buffer {
    return Buffer.concat([Buffer.from(`${name}\0`), this.#options.connection, nonceOf(number), content])
  }
}

function nonceOf(number: bigint): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(number, 4)
  return nonce
}

function decrypted(key: Buffer, number: bigint, frame: Uint8Array): Buffer | undefined {
  if (frame.length < TAG_BYTES) return undefined
  const decipher = createDecipheriv(CIPHER, key, nonceOf(number), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(frame.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(frame.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
