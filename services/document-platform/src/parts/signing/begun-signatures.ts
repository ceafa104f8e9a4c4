import { LruCache } from '@chancela/service-kernel/concurrency'
import type { Prepared } from '@chancela/signature-engine'

/** Most bytes of files cached, and the largest file cached at all: larger ones are prepared again, which is rare. */
const MOST_BYTES = 64 * 1024 * 1024
const LARGEST = 1024 * 1024

interface Begun {
  readonly prepared: Prepared<unknown>
  readonly bytes: number
}

/**
 * Caches signatures that this process started, by the uuid of their plan, so that they are not prepared twice. A miss
 * is prepared again from the token, by this or another instance, and gives the same bytes.
 */
export class BegunSignatures {
  readonly #begun = new LruCache<string, Begun>(MOST_BYTES, { weigh: ({ bytes }) => bytes })

  remember(uuid: string, prepared: Prepared<unknown>, fileBytes: number): void {
    if (fileBytes <= LARGEST) this.#begun.set(uuid, { prepared, bytes: fileBytes })
  }

  find(uuid: string): Prepared<unknown> | undefined {
    return this.#begun.get(uuid)?.prepared
  }

  forget(uuid: string): void {
    this.#begun.delete(uuid)
  }
}
