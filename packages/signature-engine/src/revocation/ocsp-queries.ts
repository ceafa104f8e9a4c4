import { requireOk } from '../http/exchange.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { BoundedCache } from './bounded-cache.ts'
import { type FetchSettings, fromCache, isRecent, storedFrom, toCache } from './fetch-settings.ts'
import { OcspResponse } from './ocsp.ts'
import { ocspRequest } from './ocsp-request.ts'
import { consultResponse, holdsUntil, type RevocationAnswer } from './revocation-answer.ts'
import type { StoredRevocationData } from './revocation-cache.ts'
import { type Problem, SingleFlight } from './single-flight.ts'

/** An answer with when it was fetched. */
export interface HeldAnswer {
  readonly answer: RevocationAnswer
  readonly stored: StoredRevocationData
}

/** OCSP answers are small; a responder that sends more sends something else. */
const MAX_OCSP_BYTES = 256 * 1024

/** Checks whether a delegated signer is trusted; returns a sentence when not. */
export type DoubtAbout = (answer: RevocationAnswer, issuer: Certificate, now: Date) => Promise<string | undefined>

/** OCSP answers by address and certificate. */
export class OcspQueries {
  readonly #settings: FetchSettings
  readonly #memory: BoundedCache<HeldAnswer>
  readonly #flights: SingleFlight<HeldAnswer>
  readonly #doubtAbout: DoubtAbout

  constructor(settings: FetchSettings, memory: BoundedCache<HeldAnswer>, doubtAbout: DoubtAbout) {
    this.#settings = settings
    this.#memory = memory
    this.#flights = new SingleFlight(settings.retryAfterMs)
    this.#doubtAbout = doubtAbout
  }

  /** The newest known answer; its dates decide whether it is current. */
  async answer(url: string, certificate: Certificate, issuer: Certificate, now: Date): Promise<HeldAnswer | Problem> {
    const key = `${url} ${issuer.keyedFingerprint} ${certificate.fingerprint}`
    const held = this.#memory.get(key)
    if (held && this.#needsNoFetch(held, now)) return held
    const fetched = await this.#flights.run(key, now, () => this.#fetch(key, url, certificate, issuer, now))
    return 'problem' in fetched && held ? held : fetched
  }

  async #fetch(key: string, url: string, certificate: Certificate, issuer: Certificate, now: Date) {
    const { cache, exchange, timeoutMs } = this.#settings
    const known = await fromCache(cache, key, (stored) => heldIn(stored, certificate, issuer, url))
    if (known && this.#needsNoFetch(known, now)) return this.#keep(key, known)
    const { der, nonce } = ocspRequest(certificate, issuer)
    const headers = { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' }
    const response = await exchange({ url, method: 'POST', headers, body: der, maxBytes: MAX_OCSP_BYTES, timeoutMs })
    const stored = storedFrom(requireOk(response, url), now)
    const read = OcspResponse.read(stored.bytes)
    // RFC 6960 §4.4.1: the nonce need not be repeated; a different one belongs to another request.
    if (read.nonce && !read.nonce.equals(nonce)) return { problem: 'The OCSP answer has another nonce.' }
    const consulted = consultResponse(read, certificate, issuer, url)
    if ('problem' in consulted) return consulted
    const doubt = await this.#doubtAbout(consulted.answer, issuer, now)
    if (doubt) return { problem: doubt }
    await toCache(cache, key, stored)
    return this.#keep(key, { answer: consulted.answer, stored })
  }

  #needsNoFetch({ answer, stored }: HeldAnswer, now: Date): boolean {
    return isRecent(stored, holdsUntil(answer) >= now, now, this.#settings)
  }

  #keep(key: string, held: HeldAnswer): HeldAnswer {
    this.#memory.set(key, held, held.stored.bytes.length)
    return held
  }
}

function heldIn(stored: StoredRevocationData, certificate: Certificate, issuer: Certificate, url: string) {
  const consulted = consultResponse(OcspResponse.read(stored.bytes), certificate, issuer, url)
  return 'answer' in consulted ? { answer: consulted.answer, stored } : undefined
}
