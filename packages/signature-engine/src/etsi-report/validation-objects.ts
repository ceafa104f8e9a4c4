import { fingerprint } from '../crypto/digest.ts'
import type { RevocationStatus } from '../judgement/verdict.ts'
import type { TimestampReport } from '../report/report.ts'
import type { Certificate } from '../x509/certificate.ts'
import { element, leaf, parent, type Xml } from './xml-element.ts'

/** Kinds of validation objects (TS 119 102-2 §4.4.3). */
const objectTypes = {
  certificate: 'urn:etsi:019102:validationObject:certificate',
  crl: 'urn:etsi:019102:validationObject:CRL',
  ocsp: 'urn:etsi:019102:validationObject:OCSPResponse',
  timestamp: 'urn:etsi:019102:validationObject:timestamp',
} as const

/** What the validation used, each once: reports refer to them by Id. */
export class ValidationObjects {
  readonly #objects = new Map<string, Xml>()

  certificate({ der }: Certificate): string {
    return this.#kept('C', 'certificate', der)
  }

  /** Undefined where there is no evidence. */
  evidence({ source, evidence }: RevocationStatus): string | undefined {
    return source && evidence ? this.#kept('R', source, evidence) : undefined
  }

  /** Undefined for a timestamp that could not be read. */
  timestamp({ values }: TimestampReport, report: () => Xml): string | undefined {
    return values && this.#kept('T', 'timestamp', values.token, report)
  }

  /** Undefined where nothing was used. */
  get xml(): Xml | undefined {
    return this.#objects.size === 0 ? undefined : parent('SignatureValidationObjects', [...this.#objects.values()])
  }

  #kept(prefix: string, type: keyof typeof objectTypes, bytes: Uint8Array, report?: () => Xml): string {
    const id = `${prefix}-${fingerprint(bytes)}`
    if (this.#objects.has(id)) return id
    const content = leaf('base64', Buffer.from(bytes).toString('base64'))
    const parts = [leaf('ObjectType', objectTypes[type]), parent('ValidationObjectRepresentation', content), report?.()]
    this.#objects.set(id, element('ValidationObject', { id }, parts))
    return id
  }
}

/** A reference to an object. */
export const reference = (name: string, id: string): Xml => element(name, { VOReference: id })
