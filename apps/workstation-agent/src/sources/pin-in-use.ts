import { sameSecret } from '@chancela/service-kernel/secrets'

/** The PIN the holder typed and the token accepted: in memory only, and wiped when it is dropped. */
export class PinInUse {
  readonly #bytes: Buffer

  constructor(pin: string) {
    // Bytes of their own: `Buffer.from` would put them into memory shared with others.
    this.#bytes = Buffer.alloc(Buffer.byteLength(pin))
    this.#bytes.write(pin)
  }

  /** Whether an offered PIN is this one, in a time that does not tell by how much it differs. */
  isSame(offered: string): boolean {
    return sameSecret(this.#bytes, offered)
  }

  wipe(): void {
    this.#bytes.fill(0)
  }
}
