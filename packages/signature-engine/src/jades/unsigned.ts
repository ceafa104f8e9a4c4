import type { ValidationData } from '../judgement/judge-certificate.ts'
import type { Finding } from '../report/report.ts'
import { tried } from '../report/tried.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import { Certificate } from '../x509/certificate.ts'
import { malformed } from './errors.ts'
import { fromBase64, fromBase64Url, type JwsSignature, toBase64Url } from './jws.ts'
import { isObject, type JsonObject, strictJson } from './strict-json.ts'

/** A component of `etsiU` (TS 119 182-1 §5.3.1). */
export interface UnsignedComponent {
  readonly name: string
  readonly value: unknown
  /** As it stands in the array; undefined for a component in clear, which an archive timestamp covers in canonical form. */
  readonly text: string | undefined
}

/** What unsigned components hold to validate with. */
export interface EmbeddedMaterial {
  readonly certificates: readonly Certificate[]
  readonly evidence: RevocationEvidence
}

const MAX_COMPONENTS = 1_000

/** The components of `etsiU`; what cannot be read is reported. */
export const componentsOf = ({ unprotected }: JwsSignature, findings: Finding[]): readonly UnsignedComponent[] =>
  tried(findings, () => componentsIn(unprotected.etsiU)) ?? []

export function componentsIn(etsiU: unknown): UnsignedComponent[] {
  if (etsiU === undefined) return []
  if (!Array.isArray(etsiU) || etsiU.length > MAX_COMPONENTS) throw malformed('etsiU is no list')
  const components = etsiU.map(componentOf)
  if (new Set(components.map(({ text }) => text === undefined)).size > 1)
    throw malformed('etsiU has components in clear and in base64url')
  return components
}

function componentOf(entry: unknown): UnsignedComponent {
  const text = typeof entry === 'string' ? entry : undefined
  const value = text === undefined ? entry : strictJson(fromBase64Url(text).toString('utf8'))
  const [name, ...others] = isObject(value) ? Object.keys(value) : []
  if (name === undefined || others.length > 0) throw malformed('a component of etsiU has not one name')
  return { name, value: (value as JsonObject)[name], text }
}

/** A component as it is written: base64url, so that an archive timestamp is over the very text. */
const componentText = (name: string, value: unknown): string => toBase64Url(JSON.stringify({ [name]: value }))

/** The signature with further components. */
export function withComponents(signature: JwsSignature, ...texts: readonly string[]): JwsSignature {
  const before = Array.isArray(signature.unprotected.etsiU) ? (signature.unprotected.etsiU as unknown[]) : []
  return { ...signature, unprotected: { ...signature.unprotected, etsiU: [...before, ...texts] } }
}

/** Tokens of a timestamp component (`tstContainer`, §5.4.3.3); early writers called the list `tsTokens`. */
export function tokensOf(value: unknown): Buffer[] {
  if (!isObject(value)) throw malformed('a timestamp is no object')
  const tokens = value.tstTokens ?? value.tsTokens
  if (!Array.isArray(tokens) || tokens.length === 0) throw malformed('a timestamp has no token')
  return tokens.map((token) => pkiValue(token))
}

export const tokenComponent = (name: 'sigTst' | 'arcTst', token: Uint8Array): string =>
  componentText(name, tokenContainer(token))

/** `tstContainer` (§5.4.3.3). */
export const tokenContainer = (...tokens: readonly Uint8Array[]) => ({
  tstTokens: tokens.map((token) => ({ val: base64(token) })),
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** `pkiOb`: base64 in `val`. */
function pkiValue(object: unknown): Buffer {
  if (!isObject(object)) throw malformed('a value is no object')
  return fromBase64(object.val)
}

/** `xVals` and `rVals` of the signature and of its timestamps (`tstVD`). */
export function materialIn(components: readonly UnsignedComponent[], findings: Finding[]): EmbeddedMaterial {
  const parts = components.flatMap(({ name, value }) => tried(findings, () => materialOf(name, value)) ?? [])
  return {
    certificates: parts.flatMap(({ certificates }) => certificates),
    evidence: {
      crls: parts.flatMap(({ evidence }) => evidence.crls),
      ocsps: parts.flatMap(({ evidence }) => evidence.ocsps),
    },
  }
}

function materialOf(name: string, value: unknown): EmbeddedMaterial[] {
  if (name === 'xVals') return [{ certificates: certificatesIn(value), evidence: NO_EVIDENCE }]
  if (name === 'rVals') return [{ certificates: [], evidence: evidenceIn(value) }]
  if (name !== 'tstVD' && name !== 'tstVd') return []
  if (!isObject(value)) throw malformed('validation data of a timestamp is no object')
  const certificates = value.xVals ?? value.certVals
  const evidence = value.rVals ?? value.revVals
  return [
    {
      certificates: certificates === undefined ? [] : certificatesIn(certificates),
      evidence: evidence === undefined ? NO_EVIDENCE : evidenceIn(evidence),
    },
  ]
}

const NO_EVIDENCE: RevocationEvidence = { crls: [], ocsps: [] }
const MAX_VALUES = 4_096

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MAX_VALUES) throw malformed('validation data is no list, or too long')
  return value
}

function certificatesIn(value: unknown): Certificate[] {
  return list(value).flatMap((one) =>
    isObject(one) && one.x509Cert !== undefined ? [Certificate.read(pkiValue(one.x509Cert))] : [],
  )
}

function evidenceIn(value: unknown): RevocationEvidence {
  if (!isObject(value)) throw malformed('revocation data is no object')
  const { crlVals = [], ocspVals = [] } = value
  return { crls: list(crlVals).map(pkiValue), ocsps: list(ocspVals).map(pkiValue) }
}

type Values = Pick<ValidationData, 'certificates' | 'crls' | 'ocsps'>

const xVals = ({ certificates }: Values) => certificates.map(({ der }) => ({ x509Cert: { val: base64(der) } }))

const rVals = ({ crls, ocsps }: Values) => ({
  ...(crls.length > 0 && { crlVals: crls.map((crl) => ({ val: base64(crl) })) }),
  ...(ocsps.length > 0 && { ocspVals: ocsps.map((ocsp) => ({ val: base64(ocsp) })) }),
})

export const valueComponents = (data: Values): string[] => [
  componentText('xVals', xVals(data)),
  componentText('rVals', rVals(data)),
]

/** Validation data of timestamps that came later. */
export const tokenDataComponent = (data: Values): string =>
  componentText('tstVD', { xVals: xVals(data), rVals: rVals(data) })
