import { createPrivateKey, type KeyObject } from 'node:crypto'

/** Keys that are ready to sign; others are made ready when they are asked for, which takes as long as a signature. */
const HOT_KEYS = 256

/** Least recently used first. */
const hot = new Map<VaultKey, KeyObject>()

/** The private key a session rests on: some bytes until it signs, because a ready key takes several times as many. */
export class VaultKey {
  /** PKCS#8; a buffer that is nobody else's, so that it can be wiped. */
  readonly #bytes: Buffer
  #wiped = false

  constructor(key: KeyObject) {
    this.#bytes = key.export({ format: 'der', type: 'pkcs8' })
  }

  /** The key, ready to sign; nothing after it was wiped. */
  ready(): KeyObject | undefined {
    if (this.#wiped) return undefined
    const key = hot.get(this) ?? createPrivateKey({ key: this.#bytes, format: 'der', type: 'pkcs8' })
    hot.delete(this)
    hot.set(this, key)
    if (hot.size > HOT_KEYS) hot.delete(hot.keys().next().value!)
    return key
  }

  /** Nothing of the key stays: OpenSSL wipes its own copy when the last who signs with it is done. */
  wipe(): void {
    this.#wiped = true
    this.#bytes.fill(0)
    hot.delete(this)
  }
}
