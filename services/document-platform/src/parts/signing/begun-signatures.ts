import { LruCache } from '@chancela/service-kernel/concurrency'
import type { Prepared } from '@chancela/signature-engine'

/** Bytes of files held at most, and the largest that is held at all: larger ones are prepared anew, which is rare. */
const MOST_BYTES = 64 * 1024 * 1024
const LARGEST = 1024 * 1024

interface Begun {
  readonly prepared: Prepared<unknown>
  readonly bytes: number
}

/**
 * Signatures that this process began, by the name in their plan, so that they need not be prepared twice. Only a memory:
 * what is not in it is prepared again from the token, here or at another instance, to the same bytes.
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
