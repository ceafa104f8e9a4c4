import { algorithmDamage } from './mutators/algorithms.ts'
import { anyBytes } from './mutators/any-bytes.ts'
import { derDamage } from './mutators/der.ts'
import { encodingDamage } from './mutators/encodings.ts'
import { jsonDamage } from './mutators/json.ts'
import type { Mutators } from './mutators/mutator.ts'
import { pdfDamage } from './mutators/pdf.ts'
import { referenceDamage } from './mutators/references.ts'
import { repairableDamage } from './mutators/repairs.ts'
import { xmlDamage } from './mutators/xml.ts'
import { zipDamage } from './mutators/zip.ts'
import { decodedXml } from './readers/decoded-xml.ts'
import { readAnyAlgorithm } from './readers/read-algorithms.ts'
import { readAnyAsic } from './readers/read-asic.ts'
import { readAnyCertificate } from './readers/read-certificate.ts'
import { readAnyCms, readAnyCmsStream, readAnyContent } from './readers/read-cms.ts'
import { readAnyDer } from './readers/read-der.ts'
import { readAnyEnvelope } from './readers/read-envelope.ts'
import { readAnyJades } from './readers/read-jades.ts'
import { readAnyImage, readAnyRoots, readAnyState } from './readers/read-others.ts'
import { readPartialList } from './readers/read-partial-list.ts'
import { readAnyPdf } from './readers/read-pdf.ts'
import { readAnyPkcs12 } from './readers/read-pkcs12.ts'
import { readAnyPolicyList } from './readers/read-policy-list.ts'
import { firstText, readAnyReferences } from './readers/read-references.ts'
import { readAnyRepaired } from './readers/read-repaired.ts'
import { readAnyList, readAnyOcsp } from './readers/read-revocation.ts'
import { readAnyTimestamp } from './readers/read-timestamp.ts'
import { readAnyTrustedList } from './readers/read-trusted-list.ts'
import { readAnyValidationPolicy } from './readers/read-validation-policy.ts'
import { readAnyXml } from './readers/read-xml.ts'
import type { Reader } from './readers/reader.ts'

/** One kind of input: how it is mutated, and who reads it. */
export interface Kind {
  readonly mutators: Mutators
  readonly read: Reader
  /** The form in which what is signed is looked for, where it is not that of the file. */
  readonly asSigned?: (bytes: Buffer) => Buffer
}

const der = { ...anyBytes, ...derDamage }

/** Every untrusted input of the engine. */
export const kinds = {
  der: { mutators: der, read: readAnyDer },
  certificate: { mutators: der, read: readAnyCertificate },
  crl: { mutators: der, read: readAnyList },
  'partial-crl': { mutators: der, read: readPartialList },
  ocsp: { mutators: der, read: readAnyOcsp },
  pkcs12: { mutators: der, read: readAnyPkcs12 },
  'policy-list': { mutators: { ...der, ...xmlDamage }, read: readAnyPolicyList },
  'trusted-list': { mutators: { ...anyBytes, ...xmlDamage }, read: readAnyTrustedList },
  'validation-policy': { mutators: { ...anyBytes, ...jsonDamage }, read: readAnyValidationPolicy },
  timestamp: { mutators: der, read: readAnyTimestamp },
  cms: { mutators: der, read: readAnyCms },
  'cms-algorithms': { mutators: { ...derDamage, ...algorithmDamage }, read: readAnyAlgorithm },
  'cms-stream': { mutators: der, read: readAnyCmsStream },
  'detached-cms': { mutators: der, read: readAnyCms },
  content: { mutators: anyBytes, read: readAnyContent },
  pdf: { mutators: { ...anyBytes, ...pdfDamage }, read: readAnyPdf },
  'damaged-pdf': { mutators: { ...pdfDamage, ...repairableDamage }, read: readAnyRepaired },
  xml: { mutators: { ...anyBytes, ...xmlDamage }, read: readAnyXml },
  'xml-encodings': { mutators: encodingDamage, read: readAnyXml, asSigned: decodedXml },
  'xml-references': {
    mutators: { ...referenceDamage, ...xmlDamage },
    read: readAnyReferences,
    asSigned: firstText,
  },
  asic: { mutators: { ...anyBytes, ...zipDamage }, read: readAnyAsic },
  jades: { mutators: { ...anyBytes, ...jsonDamage }, read: readAnyJades },
  envelope: { mutators: der, read: readAnyEnvelope },
  image: { mutators: anyBytes, read: readAnyImage },
  roots: { mutators: anyBytes, read: readAnyRoots },
  'signing-state': { mutators: anyBytes, read: readAnyState },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

export const kindNames = Object.keys(kinds) as KindName[]
