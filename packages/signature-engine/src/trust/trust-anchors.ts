import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from '../x509/certificate.ts'

/** From a moment, included, until another one, not included; null: without that end. */
export interface TrustedPeriod {
  readonly from: Date | null
  readonly until: Date | null
}

/** An anchor that is only trusted for what was signed in these periods, as a trusted list tells of a service. */
export interface TimedAnchor {
  readonly certificate: Certificate
  readonly periods: readonly TrustedPeriod[]
}

/** The certificates an operator decided to trust without further proof, for ever or for a time. */
export class TrustAnchors {
  readonly certificates: readonly Certificate[]
  readonly #bySubject = new Map<string, Certificate[]>()
  /** By fingerprint; `always` for those without a time. */
  readonly #periods = new Map<string, readonly TrustedPeriod[] | 'always'>()

  private constructor(anchors: readonly (Certificate | TimedAnchor)[]) {
    for (const anchor of anchors) this.#trust(anchor)
    const certificates = anchors.map((anchor) => ('periods' in anchor ? anchor.certificate : anchor))
    this.certificates = [...new Map(certificates.map((anchor) => [anchor.fingerprint, anchor])).values()]
    for (const anchor of this.certificates) {
      this.#bySubject.set(anchor.subject.key, [...this.named(anchor.subject.key), anchor])
    }
  }

  static of(anchors: readonly (Certificate | TimedAnchor)[]): TrustAnchors {
    requireArguments('TrustAnchors.of', { certificates: [anchors, 'anchors to be'] })
    return new TrustAnchors(anchors)
  }

  /** What is given several times is trusted in all of its periods. */
  #trust(anchor: Certificate | TimedAnchor): void {
    const { fingerprint } = 'periods' in anchor ? anchor.certificate : anchor
    const known = this.#periods.get(fingerprint) ?? []
    const isAlways = known === 'always' || !('periods' in anchor)
    this.#periods.set(fingerprint, isAlways ? 'always' : [...known, ...anchor.periods])
  }

  has(certificate: Certificate): boolean {
    return this.#periods.has(certificate.fingerprint)
  }

  /** Whether this anchor is trusted for what was signed at that time. */
  trustedAt(certificate: Certificate, time: Date): boolean {
    const periods = this.#periods.get(certificate.fingerprint) ?? []
    return periods === 'always' || periods.some((period) => isWithin(time, period))
  }

  /** Whether this anchor is only trusted at some times, so that another one above it may be needed. */
  isTimed(certificate: Certificate): boolean {
    return this.#periods.get(certificate.fingerprint) !== 'always'
  }

  /** The anchors with this subject (`DistinguishedName.key`). */
  named(key: string): readonly Certificate[] {
    return this.#bySubject.get(key) ?? []
  }
}

const isWithin = (time: Date, { from, until }: TrustedPeriod): boolean =>
  (from === null || from <= time) && (until === null || time < until)
