import { derFromAnything } from '../der/pem.ts'
import { requireOk } from '../http/exchange.ts'
import type { BoundedCache } from './bounded-cache.ts'
import { RevocationList } from './crl.ts'
import { refuseRevocation } from './errors.ts'
import { type FetchSettings, fromCache, isRecent, storedFrom, toCache } from './fetch-settings.ts'
import type { StoredRevocationData } from './revocation-cache.ts'
import { type Problem, SingleFlight } from './single-flight.ts'

/** A list with what a conditional request for it needs. */
export interface HeldList {
  readonly list: RevocationList
  readonly stored: StoredRevocationData
}

/** Whether somebody who may sign the list did. */
export type Proof = (list: RevocationList) => Promise<boolean>

/** Lists by address: one list covers every certificate of its issuer. */
export class CrlDownloads {
  readonly #settings: FetchSettings
  readonly #memory: BoundedCache<HeldList>
  readonly #flights: SingleFlight<HeldList>

  constructor(settings: FetchSettings, memory: BoundedCache<HeldList>) {
    this.#settings = settings
    this.#memory = memory
    this.#flights = new SingleFlight(settings.retryAfterMs)
  }

  /** The newest known list at this address that is proven; its dates decide whether it is current. */
  async list(url: string, isProven: Proof, now: Date): Promise<HeldList | Problem> {
    const held = this.#memory.get(url)
    if (held && this.#needsNoFetch(held, now)) return held
    const fetched = await this.#flights.run(url, now, () => this.#fetch(url, isProven, held, now))
    // While the address fails, the list at hand is used.
    return 'problem' in fetched && held ? held : fetched
  }

  async #fetch(url: string, isProven: Proof, held: HeldList | undefined, now: Date): Promise<HeldList> {
    const { cache, exchange, maxCrlBytes: maxBytes, timeoutMs } = this.#settings
    const known = held ?? (await fromCache(cache, url, (stored) => readList(stored, isProven)))
    if (known && this.#needsNoFetch(known, now)) return this.#keep(url, known)
    const response = await exchange({ url, method: 'GET', headers: conditions(known), maxBytes, timeoutMs })
    const unchanged = response.status === 304 ? known : undefined
    const fetched = unchanged ?? (await readList(storedFrom(requireOk(response, url), now), isProven))
    const newest = newer(known, fetched)
    const checked = { ...newest, stored: { ...newest.stored, fetchedAt: now } }
    await toCache(cache, url, checked.stored)
    return this.#keep(url, checked)
  }

  #needsNoFetch({ list, stored }: HeldList, now: Date): boolean {
    return isRecent(stored, list.nextUpdate !== null && list.nextUpdate >= now, now, this.#settings)
  }

  #keep(url: string, held: HeldList): HeldList {
    this.#memory.set(url, held, held.list.der.length)
    return held
  }
}

async function readList(stored: StoredRevocationData, isProven: Proof): Promise<HeldList> {
  const list = RevocationList.read(derFromAnything(stored.bytes, 'X509 CRL', 'CRL'))
  if (!(await isProven(list))) throw refuseRevocation('revocation.wrong-signature', { issuer: list.issuer.toString() })
  return { list, stored }
}

/** RFC 9110 §13.1: send it only if it has changed. */
const conditions = (held: HeldList | undefined): Record<string, string> => ({
  ...(held?.stored.etag && { 'if-none-match': held.stored.etag }),
  ...(held?.stored.lastModified && { 'if-modified-since': held.stored.lastModified }),
})

/** Replicas of a distribution point differ: an older list never replaces a newer one. */
const newer = (known: HeldList | undefined, fetched: HeldList): HeldList =>
  known && known.list.thisUpdate > fetched.list.thisUpdate ? known : fetched
