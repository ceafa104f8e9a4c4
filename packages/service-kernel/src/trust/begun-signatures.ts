import type { Prepared } from '@chancela/signature-engine'
import { LruCache } from '../concurrency/index.ts'

/** Most bytes of files cached, and the largest file cached at all: larger ones are prepared again, which is rare. */
const MOST_BYTES = 64 * 1024 * 1024
const LARGEST = 1024 * 1024

interface Begun {
  readonly prepared: Prepared<unknown>
  readonly bytes: number
}

/**
 * Caches signatures that this process started, by a key that determines their bytes, so that they are not prepared twice.
 * A miss is prepared again, by this or another instance, and gives the same bytes.
 */
export class BegunSignatures {
  readonly #begun = new LruCache<string, Begun>(MOST_BYTES, { weigh: ({ bytes }) => bytes })

  remember(key: string, prepared: Prepared<unknown>, fileBytes: number): void {
    if (fileBytes <= LARGEST) this.#begun.set(key, { prepared, bytes: fileBytes })
  }

  find(key: string): Prepared<unknown> | undefined {
    return this.#begun.get(key)?.prepared
  }

  forget(key: string): void {
    this.#begun.delete(key)
  }
}
