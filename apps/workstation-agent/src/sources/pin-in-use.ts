import { sameSecret } from '@chancela/service-kernel/secrets'

/** The PIN the holder typed and the token accepted: in memory only, and wiped when it is dropped. */
export class PinInUse {
  readonly #bytes: Buffer

  constructor(pin: string) {
    // A buffer of its own: `Buffer.from` would use the shared pool.
    this.#bytes = Buffer.alloc(Buffer.byteLength(pin))
    this.#bytes.write(pin)
  }

  /** Whether an offered PIN is this one, compared in constant time. */
  isSame(offered: string): boolean {
    return sameSecret(this.#bytes, offered)
  }

  wipe(): void {
    this.#bytes.fill(0)
  }
}
