import { EngineError } from '@chancela/signature-engine'
import { type CertificateVerdict, reasonText } from '@chancela/signature-engine/judgement'
import type { Certificate } from '@chancela/signature-engine/x509'
import { MINUTE, plus, SECOND } from '../clock/index.ts'
import { LruCache } from '../concurrency/index.ts'
import type { InterfaceLanguage } from '../i18n/index.ts'
import type { Trust } from './open-trust.ts'

/** A certificate to validate before it signs: chain, validity, revocation, purpose. */
export interface JudgedCertificate {
  readonly certificate: Certificate
  /** Issuers that came with the key. Default none. */
  readonly chain?: readonly Certificate[]
}

/** Longest time a good verdict is cached: a revocation is noticed within it. */
const BELIEVED = 5 * MINUTE

/** How long a bad verdict is cached: a short outage of a server should not fail a folder of files. */
const DOUBTED = 15 * SECOND

/** Verdicts remembered at most. */
const MOST_REMEMBERED = 5000

interface Remembered {
  readonly verdict: Promise<CertificateVerdict>
  readonly at: Date
  until: Date
}

/** The pre-sign validation of certificates. One verdict is cached for all signatures within minutes. */
export class CertificateGate {
  readonly #trust: Trust
  readonly #remembered = new LruCache<string, Remembered>(MOST_REMEMBERED)

  constructor(trust: Trust) {
    this.#trust = trust
  }

  /** The reasons not to sign with the certificate now, each in one sentence; empty when it is good. */
  async reasons(
    judged: JudgedCertificate,
    now: Date,
    language: InterfaceLanguage = 'en-US',
  ): Promise<readonly string[]> {
    try {
      const { indication, reasons } = await this.verdict(judged, now)
      return indication === 'valid' ? [] : reasons.map((reason) => reasonText(reason, judged.certificate, language))
    } catch (error) {
      if (error instanceof EngineError) return [`The certificate could not be judged: ${error.message}`]
      throw error
    }
  }

  /**
   * The current verdict on the certificate; throws EngineError while it cannot be determined. `again` judges anew even
   * when a verdict is remembered: for whoever waits for a bad one to change.
   */
  verdict(
    { certificate, chain = [] }: JudgedCertificate,
    now: Date,
    { again = false }: { readonly again?: boolean } = {},
  ): Promise<CertificateVerdict> {
    const known = this.#remembered.get(certificate.fingerprint)
    if (known && now >= known.at && now < known.until && !again) return known.verdict
    const verdict = this.#judge(certificate, chain, now)
    // Concurrent callers share this verdict; it decides itself how long it is cached.
    const remembered: Remembered = { verdict, at: now, until: plus(now, BELIEVED) }
    this.#remembered.set(certificate.fingerprint, remembered)
    verdict.then(
      (answer) => {
        remembered.until = holdsUntil(answer, certificate, now)
      },
      () => this.#remembered.delete(certificate.fingerprint),
    )
    return verdict
  }

  async #judge(certificate: Certificate, chain: readonly Certificate[], now: Date): Promise<CertificateVerdict> {
    const judge = await this.#trust.judge()
    return judge.certificate(certificate, { at: now, now, purpose: 'signing', certificates: chain })
  }
}

/** A good verdict holds until the revocation data must be renewed or the certificate expires, but only for minutes. */
function holdsUntil({ indication, revocation }: CertificateVerdict, certificate: Certificate, now: Date): Date {
  if (indication !== 'valid') return plus(now, DOUBTED)
  const ends = [plus(now, BELIEVED), certificate.notAfter, ...revocation.flatMap(({ nextUpdate }) => nextUpdate ?? [])]
  return new Date(Math.min(...ends.map(Number)))
}
