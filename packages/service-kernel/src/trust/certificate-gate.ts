import { EngineError } from '@chancela/signature-engine'
import { type CertificateVerdict, reasonText } from '@chancela/signature-engine/judgement'
import type { Certificate } from '@chancela/signature-engine/x509'
import { MINUTE, plus, SECOND } from '../clock/index.ts'
import { LruCache } from '../concurrency/index.ts'
import type { Trust } from './open-trust.ts'

/** What is asked of a certificate before it signs: chain, validity, revocation, purpose. */
export interface JudgedCertificate {
  readonly certificate: Certificate
  /** Issuers that came with the key. Default none. */
  readonly chain?: readonly Certificate[]
}

/** Longest a good verdict is believed: a revocation is noticed within this time. */
const BELIEVED = 5 * MINUTE

/** How long a bad one is: a server that was away for a moment should not fail a folder of files. */
const DOUBTED = 15 * SECOND

/** Verdicts remembered at most. */
const MOST_REMEMBERED = 5000

interface Remembered {
  readonly verdict: Promise<CertificateVerdict>
  until: Date
}

/** The pre-sign validation of certificates. One verdict serves all signatures that come within minutes. */
export class CertificateGate {
  readonly #trust: Trust
  readonly #remembered = new LruCache<string, Remembered>(MOST_REMEMBERED)

  constructor(trust: Trust) {
    this.#trust = trust
  }

  /** What speaks against signing with the certificate now, each in one sentence; nothing when it is good. */
  async reasons(judged: JudgedCertificate, now: Date): Promise<readonly string[]> {
    try {
      const { indication, reasons } = await this.verdict(judged, now)
      return indication === 'valid' ? [] : reasons.map((reason) => reasonText(reason, judged.certificate))
    } catch (error) {
      if (error instanceof EngineError) return [`The certificate could not be judged: ${error.message}`]
      throw error
    }
  }

  /** What is to be believed of the certificate now; throws EngineError while nobody can tell. */
  verdict({ certificate, chain = [] }: JudgedCertificate, now: Date): Promise<CertificateVerdict> {
    const known = this.#remembered.get(certificate.fingerprint)
    if (known && now < known.until) return known.verdict
    const verdict = this.#judge(certificate, chain, now)
    // All who ask meanwhile wait for this answer; how long it is believed, it says itself.
    const remembered: Remembered = { verdict, until: plus(now, BELIEVED) }
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

/** A good verdict holds until the revocation data is to be renewed or the certificate ends, and for minutes at most. */
function holdsUntil({ indication, revocation }: CertificateVerdict, certificate: Certificate, now: Date): Date {
  if (indication !== 'valid') return plus(now, DOUBTED)
  const ends = [plus(now, BELIEVED), certificate.notAfter, ...revocation.flatMap(({ nextUpdate }) => nextUpdate ?? [])]
  return new Date(Math.min(...ends.map(Number)))
}
