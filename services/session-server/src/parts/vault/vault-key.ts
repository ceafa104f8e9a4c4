import { createPrivateKey, type KeyObject } from 'node:crypto'
import { LruCache } from '@chancela/service-kernel/concurrency'

/** Keys that are ready to sign; others are made ready when they are asked for, which takes as long as a signature. */
const HOT_KEYS = 256

const hot = new LruCache<VaultKey, KeyObject>(HOT_KEYS)

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
    const known = hot.get(this)
    if (known) return known
    const key = createPrivateKey({ key: this.#bytes, format: 'der', type: 'pkcs8' })
    hot.set(this, key)
    return key
  }

  /** Nothing of the key stays: OpenSSL wipes its own copy when the last who signs with it is done. */
  wipe(): void {
    this.#wiped = true
    this.#bytes.fill(0)
    hot.delete(this)
  }
}
