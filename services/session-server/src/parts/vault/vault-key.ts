import { createPrivateKey, type KeyObject } from 'node:crypto'
import { LruCache } from '@chancela/service-kernel/concurrency'

/** Keys cached ready to sign; parsing another one takes as long as a signature. */
const HOT_KEYS = 256

const hot = new LruCache<VaultKey, KeyObject>(HOT_KEYS)

/** A session's private key: kept as bytes until it signs, because a parsed key takes several times the memory. */
export class VaultKey {
  /** PKCS#8 in a buffer of its own, so that it can be wiped. */
  readonly #bytes: Buffer
  #wiped = false

  constructor(key: KeyObject) {
    this.#bytes = key.export({ format: 'der', type: 'pkcs8' })
  }

  /** The parsed key; undefined after it was wiped. */
  ready(): KeyObject | undefined {
    if (this.#wiped) return undefined
    const known = hot.get(this)
    if (known) return known
    const key = createPrivateKey({ key: this.#bytes, format: 'der', type: 'pkcs8' })
    hot.set(this, key)
    return key
  }

  /** Wipes the key: OpenSSL wipes its own copy when the last signature with it is done. */
  wipe(): void {
    this.#wiped = true
    this.#bytes.fill(0)
    hot.delete(this)
  }
}
