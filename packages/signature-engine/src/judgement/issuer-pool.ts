import { EngineError } from '../errors/engine-error.ts'
import { type HttpExchange, requireOk } from '../http/exchange.ts'
import { BoundedCache } from '../revocation/bounded-cache.ts'
import type { Certificate } from '../x509/certificate.ts'
import { readCertificates } from '../x509/certificate-files.ts'

/** A bundle of a whole hierarchy has some tens of kilobytes. */
const MAX_BUNDLE_BYTES = 1024 * 1024
const MAX_BUNDLE_CERTIFICATES = 100
const TIMEOUT_MS = 10_000
/** An address is requested again after this, whether it failed or not. */
const ASK_AGAIN_MS = 60_000
/** Downloaded certificates in the cache; the least recently used are dropped first. */
const MAX_DOWNLOADED = 1_000

/** Authorities known without being trusted: configured ones, and those downloaded from caIssuers addresses. */
export class IssuerPool {
  readonly #configured = new Map<string, Certificate[]>()
  readonly #downloaded = new BoundedCache<readonly Certificate[]>(MAX_DOWNLOADED)
  readonly #asked = new BoundedCache<{ readonly at: number; readonly done: Promise<boolean> }>(MAX_DOWNLOADED)
  readonly #exchange: HttpExchange | undefined

  constructor(configured: readonly Certificate[], exchange: HttpExchange | undefined) {
    this.#exchange = exchange
    for (const certificate of configured) {
      const { key } = certificate.subject
      this.#configured.set(key, [...(this.#configured.get(key) ?? []), certificate])
    }
  }

  named(key: string): readonly Certificate[] {
    const configured = this.#configured.get(key)
    const downloaded = this.#downloaded.get(key)
    if (!configured || !downloaded) return configured ?? downloaded ?? []
    return [...configured, ...downloaded]
  }

  /** Downloads the certificate's issuer; returns whether something new was found. */
  async download(certificate: Certificate, now: Date): Promise<boolean> {
    const urls = this.#exchange ? certificate.extensions.issuerUrls.filter((url) => /^https?:/i.test(url)) : []
    for (const url of urls) if (await this.#ask(url, now)) return true
    return false
  }

  /** Concurrent callers share the download; callers soon afterwards learn that there is nothing new. */
  async #ask(url: string, now: Date): Promise<boolean> {
    const asked = this.#asked.get(url)
    if (asked && Math.abs(now.getTime() - asked.at) < ASK_AGAIN_MS) return asked.done
    const done = this.#fetch(url)
    this.#asked.set(url, { at: now.getTime(), done }, 1)
    return done
  }

  async #fetch(url: string): Promise<boolean> {
    try {
      const answer = await this.#exchange!({ url, method: 'GET', maxBytes: MAX_BUNDLE_BYTES, timeoutMs: TIMEOUT_MS })
      const certificates = readCertificates(requireOk(answer, url).body).slice(0, MAX_BUNDLE_CERTIFICATES)
      return certificates.map((certificate) => this.#add(certificate)).includes(true)
    } catch (error) {
      // A failing address yields no issuer; the verdict then says that the path ended.
      if (!(error instanceof EngineError)) throw error
      return false
    }
  }

  #add(certificate: Certificate): boolean {
    const { key } = certificate.subject
    const known = this.#downloaded.get(key) ?? []
    if (known.includes(certificate)) return false
    this.#downloaded.set(key, [...known, certificate], known.length + 1)
    return true
  }
}
