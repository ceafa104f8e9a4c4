import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from '../x509/certificate.ts'

/** The certificates an operator decided to trust without further proof. */
export class TrustAnchors {
  readonly certificates: readonly Certificate[]
  readonly #bySubject = new Map<string, Certificate[]>()
  readonly #fingerprints: ReadonlySet<string>

  private constructor(certificates: readonly Certificate[]) {
    this.#fingerprints = new Set(certificates.map(({ fingerprint }) => fingerprint))
    this.certificates = [...new Map(certificates.map((anchor) => [anchor.fingerprint, anchor])).values()]
    for (const anchor of this.certificates) {
      this.#bySubject.set(anchor.subject.key, [...this.named(anchor.subject.key), anchor])
    }
  }

  static of(certificates: readonly Certificate[]): TrustAnchors {
    requireArguments('TrustAnchors.of', { certificates: [certificates, 'certificates'] })
    return new TrustAnchors(certificates)
  }

  has(certificate: Certificate): boolean {
    return this.#fingerprints.has(certificate.fingerprint)
  }

  /** The anchors with this subject (`DistinguishedName.key`). */
  named(key: string): readonly Certificate[] {
    return this.#bySubject.get(key) ?? []
  }
}
