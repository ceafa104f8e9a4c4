import { digestIdentifiers } from '../cms/algorithm-identifiers.ts'
import {
  claimAttributes,
  contentHintsAttribute,
  contentTimestampAttribute,
  mimeTypeAttribute,
} from '../cms/claim-attributes.ts'
import {
  completeCms,
  completeSignerInfo,
  contentDigestName,
  type PreparedCms,
  prepareCms,
} from '../cms/cms-template.ts'
import { attributeOids } from '../cms/oids.ts'
import { replacing, rewriteSignedData, withUnsignedAttributes } from '../cms/rewrite-signed-data.ts'
import { attribute, type PolicyReference } from '../cms/signed-attributes.ts'
import { attributesOf, readSignedData, type SignedData, signerAt, valuesOf } from '../cms/signed-data.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import { membersOf, readDer } from '../der/der-value.ts'
import type { Der } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'
import { selectPolicy } from '../policies/policies.ts'
import { requireAllowed } from '../policies/policy-algorithms.ts'
import { requireClaims, requireText, type SignerClaims } from '../signing/signer-claims.ts'
import {
  type Prepared,
  prepared,
  requireFormat,
  requireSignature,
  type SigningState,
} from '../signing/signing-state.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type CadesEncoding, cmsBytes, cmsFile } from './cades-file.ts'
import { type CadesLevel, isIcpForm, requireLevel } from './cades-level.ts'
import { refuseCades } from './errors.ts'

export interface CadesOptions {
  /** The time of signing: it is signed, and the certificate and the policy must be valid then. */
  readonly now: Date
  /** Signs with a certificate that is not valid then, too; default false. Whoever verifies will object. */
  readonly allowExpired?: boolean
  /** Default B-B. For AD-* the policy of that form is signed. */
  readonly level?: CadesLevel
  /** Default SHA-256. */
  readonly digest?: SigningDigest
  /** Default for AD-*: the newest policy in force for the root at the end of the chain. */
  readonly policy?: PolicyReference
  /** Issuers to put into the signature, nearest first; default none. `signCades` takes those of the signer. */
  readonly chain?: readonly Certificate[]
  /** Whether the content is inside the signature; default attached. */
  readonly packaging?: 'attached' | 'detached'
  /** Default DER. */
  readonly encoding?: CadesEncoding
  /** Roles, commitments and place that the signer states. Default none. */
  readonly claims?: SignerClaims
  /** Of the content, such as application/pdf; default unsaid. */
  readonly mimeType?: string
  /** What the content is, in words; default unsaid. */
  readonly description?: string
  /** Timestamps over the content, which are signed with it: `signCades` fetches one with `contentTimestamp`. */
  readonly contentTimestamps?: readonly Uint8Array[]
}

/** A further signature on an existing CMS. */
export interface FurtherCadesOptions extends Omit<CadesOptions, 'packaging'> {
  /** The content, if the signature is detached. */
  readonly content?: Uint8Array
  /** Its digest by the algorithm of the new signature, where the content itself stays elsewhere. */
  readonly contentDigest?: Uint8Array
}

/** What it signs is a signature value, which has no type (EN 319 122-1 §5.2.4.2). */
export interface CounterCadesOptions
  extends Omit<CadesOptions, 'packaging' | 'policy' | 'level' | 'mimeType' | 'description' | 'contentTimestamps'> {
  /** Position of the signature that is confirmed; default 0. */
  readonly signer?: number
}

/** Between prepare and complete. `document` is the content of an attached signature, or the CMS that is added to. */
export type CadesStateData = {
  readonly kind: 'signature' | 'co-signature' | 'counter-signature'
  readonly encoding: CadesEncoding
  /** SignedData.certificates, tagged. */
  readonly certificates: Uint8Array
  /** Of the signature that is confirmed. */
  readonly signer: number
}

export type CadesState = SigningState<CadesStateData>

/** A new signature over this content: returns what the key has to sign. */
export function prepareCades(
  content: Uint8Array,
  certificate: Certificate,
  options: CadesOptions,
): Prepared<CadesStateData> {
  requireArguments(
    'prepareCades',
    { content: [content, 'bytes'], certificate: [certificate, 'certificate'] },
    options,
    ['now'],
  )
  const contentDigest = digest(contentDigestName({ certificate, ...options }), content)
  const document = options.packaging === 'detached' ? null : content
  return preparedOver(contentDigest, certificate, options, { kind: 'signature', document })
}

/** A new signature over content of which only the digest is available, by `contentDigestName`. */
export function prepareCadesOverDigest(
  contentDigest: Uint8Array,
  certificate: Certificate,
  options: CadesOptions,
): Prepared<CadesStateData> {
  requireArguments(
    'prepareCadesOverDigest',
    { contentDigest: [contentDigest, 'bytes'], certificate: [certificate, 'certificate'] },
    options,
    ['now'],
  )
  return preparedOver(contentDigest, certificate, options, { kind: 'signature', document: null })
}

/** A parallel signature over the same content, in addition to the existing ones. */
export function prepareCoSignature(
  existing: Uint8Array,
  certificate: Certificate,
  options: FurtherCadesOptions,
): Prepared<CadesStateData> {
  requireArguments(
    'prepareCoSignature',
    { existing: [existing, 'bytes'], certificate: [certificate, 'certificate'] },
    options,
    ['now'],
  )
  const document = cmsBytes(existing)
  const signedData = readSignedData(document)
  const name = contentDigestName({ certificate, ...options })
  const contentDigest = options.contentDigest
    ? requireSameDigest(signedData, name, Buffer.from(options.contentDigest))
    : digestOfContent(signedData, name, options.content)
  return preparedOver(contentDigest, certificate, options, { kind: 'co-signature', document })
}

/** A signature over an existing signature. It names no policy (DOC-ICP-15.03, table A.4). */
export function prepareCounterSignature(
  existing: Uint8Array,
  certificate: Certificate,
  counterOptions: CounterCadesOptions,
): Prepared<CadesStateData> {
  requireArguments(
    'prepareCounterSignature',
    { existing: [existing, 'bytes'], certificate: [certificate, 'certificate'] },
    counterOptions,
    ['now'],
  )
  const { signer = 0, ...options } = counterOptions
  const document = cmsBytes(existing)
  const confirmed = signerAt(readSignedData(document), signer)
  const archives = [attributeOids.archiveTimestampV2, attributeOids.archiveTimestampV3]
  if (archives.some((type) => attributesOf(confirmed.unsignedAttributes, type).length > 0)) {
    throw refuseCades('cades.archived')
  }
  const contentDigest = digest(contentDigestName({ certificate, ...options }), confirmed.signature)
  return preparedOver(contentDigest, certificate, options, { kind: 'counter-signature', document, signer })
}

/** The finished signature. Throws if the certificate's key did not make the signature value. */
export function completeCades(anyState: SigningState<unknown>, signature: Uint8Array): Buffer {
  requireArguments('completeCades', { anyState: [anyState, 'state'], signature: [signature, 'bytes'] })
  const state = requireFormat<CadesStateData>(anyState, 'cades')
  requireSignature(state, signature)
  return cmsFile(finishers[state.data.kind](state, cmsOf(state), signature), state.data.encoding)
}

/** The prepared CMS inside a state. */
export const cmsOf = ({ certificate, algorithm, toSign, data }: CadesState): PreparedCms => ({
  certificate,
  algorithm,
  toSign: Buffer.from(toSign),
  certificates: data.certificates,
})

interface Target {
  readonly kind: CadesStateData['kind']
  readonly document: Uint8Array | null
  readonly signer?: number
}

function preparedOver(
  contentDigest: Uint8Array,
  certificate: Certificate,
  options: CadesOptions,
  { kind, document, signer = 0 }: Target,
): Prepared<CadesStateData> {
  const { now, chain = [], digest: name, encoding = 'DER', allowExpired = false } = options
  if (!allowExpired) requireValid(certificate, now)
  const counterSignature = kind === 'counter-signature'
  const policy = counterSignature ? undefined : policyFor(certificate, options)
  const { algorithm, toSign, certificates } = prepareCms({
    certificate,
    chain,
    contentDigest,
    signingTime: now,
    policy,
    counterSignature,
    furtherAttributes: furtherAttributes(options, policy),
    ...(name && { digest: name }),
  })
  requireAllowed('CAdES', algorithm, policy)
  return prepared({
    format: 'cades',
    certificate,
    algorithm,
    toSign,
    document,
    data: { kind, encoding, certificates, signer },
  })
}

function furtherAttributes(
  { claims, mimeType, description, contentTimestamps = [] }: CadesOptions,
  policy: PolicyReference | undefined,
): Der[] {
  if (claims) requireClaims(claims)
  if (mimeType !== undefined) requireText('mimeType', mimeType)
  if (description !== undefined) requireText('description', description)
  return [
    ...(claims ? claimAttributes(claims, policy ? 'signer-attributes' : 'signer-attributes-v2') : []),
    ...(mimeType === undefined ? [] : [mimeTypeAttribute(mimeType)]),
    ...(description === undefined ? [] : [contentHintsAttribute(description)]),
    ...(contentTimestamps.length === 0 ? [] : [contentTimestampAttribute(contentTimestamps)]),
  ]
}

function requireValid({ notBefore, notAfter }: Certificate, now: Date): void {
  if (notBefore <= now && now <= notAfter) return
  throw refuseCades('cades.certificate-not-valid', {
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    time: now.toISOString(),
  })
}

function policyFor(certificate: Certificate, { level = 'B-B', policy, chain = [], now }: CadesOptions) {
  const required = requireLevel(level)
  if (policy || !isIcpForm(required)) return policy
  return selectPolicy({ format: 'CAdES', name: required, root: chain.at(-1) ?? certificate, now })
}

type Finisher = (state: CadesState, cms: PreparedCms, signature: Uint8Array) => Buffer

const finishers: Readonly<Record<CadesStateData['kind'], Finisher>> = {
  signature: ({ document }, cms, signature) => completeCms(cms, signature, document ?? undefined),
  'co-signature': ({ document }, cms, signature) => {
    const signedData = readSignedData(document!)
    const added = completeSignerInfo(cms, signature)
    return rewriteSignedData(signedData, {
      signers: [...signedData.signers.map(({ raw }) => raw), added],
      ...additionsTo(signedData, cms),
    })
  },
  'counter-signature': ({ document, data }, cms, signature) => {
    const signedData = readSignedData(document!)
    const counter = attribute(attributeOids.counterSignature, completeSignerInfo(cms, signature))
    const changed = withUnsignedAttributes(signerAt(signedData, data.signer), counter)
    return rewriteSignedData(signedData, {
      signers: replacing(signedData, data.signer, changed),
      ...additionsTo(signedData, cms),
    })
  },
}

function additionsTo(signedData: SignedData, { certificates, algorithm }: PreparedCms) {
  const addCertificates = membersOf(certificates)
  requireMayGrow(signedData, addCertificates)
  return { addCertificates, addDigests: [digestIdentifiers[algorithm.digest]] }
}

/** An archive timestamp of version 2 covers the certificates and revocation data of all: then none can be added. */
export function requireMayGrow(
  { signers, certificateChoices, revocationChoices }: SignedData,
  certificates: readonly Uint8Array[],
  revocation: readonly Uint8Array[] = [],
): void {
  const isNew = (choices: readonly Buffer[]) => (value: Uint8Array) => !choices.some((known) => known.equals(value))
  const grows = certificates.some(isNew(certificateChoices)) || revocation.some(isNew(revocationChoices))
  const closed = signers.some(
    ({ unsignedAttributes }) => attributesOf(unsignedAttributes, attributeOids.archiveTimestampV2).length > 0,
  )
  if (grows && closed) throw refuseCades('cades.closed')
}

/**
 * The digest of the signed content. For a detached signature the content is not needed when a signer used the same
 * digest: then it is in the message-digest attribute, and the new signature confirms the very same bytes.
 */
export function digestOfContent(signedData: SignedData, name: DigestName, detached?: Uint8Array): Buffer {
  if (signedData.content && detached && !signedData.content.equals(detached)) throw refuseCades('cades.content-inside')
  const content = signedData.content ?? detached
  if (content) return requireSame(signedData, content, name)
  const signed = signedData.signers.find((signer) => signer.digest === name)
  const [value] = valuesOf(signed?.signedAttributes, attributeOids.messageDigest)
  if (!value) throw refuseCades('cades.content-needed')
  return readDer(value.raw).octets()
}

/** The digest of the content that whoever adds a signature knows: where others signed by the same algorithm, it is theirs. */
function requireSameDigest(signedData: SignedData, name: DigestName, known: Buffer): Buffer {
  for (const signer of signedData.signers) {
    const [value] = valuesOf(signer.signedAttributes, attributeOids.messageDigest)
    if (signer.digest === name && value && !value.octets().equals(known)) throw refuseCades('cades.content-changed')
  }
  return known
}

/** Refuses to add a signature over other content than that of the first signers. */
function requireSame(signedData: SignedData, content: Uint8Array, name: DigestName): Buffer {
  const [first] = signedData.signers
  const [value] = valuesOf(first?.signedAttributes, attributeOids.messageDigest)
  if (first?.digest && value && !value.octets().equals(digest(first.digest, content))) {
    throw refuseCades('cades.content-changed')
  }
  return digest(name, content)
}
