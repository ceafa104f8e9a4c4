import { attributeOids } from '../cms/oids.ts'
import { withSignatureTimestamp } from '../cms/rewrite-signed-data.ts'
import { identifies, type SignedData, valuesOf } from '../cms/signed-data.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Judge, ValidationData } from '../judgement/judge-certificate.ts'
import { writeText } from '../pdf/object-writer.ts'
import { openPdf, type PdfFile, type PdfPassword } from '../pdf/pdf-file.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { readTimestampToken } from '../timestamps/timestamp-token.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type EmbeddedSignature, embeddedSignatures, signedDataIn } from './embedded-signatures.ts'
import { refusePades } from './errors.ts'
import { type PadesLevel, partsOf } from './levels.ts'
import { hasEvidence, type PolicyArtifacts, type SignatureEvidence, writeSecurityStore } from './security-store.ts'
import { timestampNames } from './signature-dictionary.ts'
import { digestAroundHole, fillHole, type HoledRevision, roomIn } from './signature-hole.ts'
import { type SignatureRevisionOptions, writeSignatureRevision } from './signature-revision.ts'

/** How a signed document is brought to a higher level, or its archive timestamp renewed. */
export interface ExtendPadesOptions extends PdfPassword {
  readonly level: PadesLevel
  readonly now: Date
  /** Needed for every level above B-B and AD-RB. */
  readonly timestamps?: TimestampClient
  /** Collects certificates and revocation data; needed from B-LT and AD-RC on. */
  readonly judge?: Judge
  /** Digest of timestamps. Default SHA-256. */
  readonly digest?: SigningDigest
  /** Room for a document timestamp in bytes; increased for a larger token. Default 8192. */
  readonly timestampBytes?: number
  /** For AD-RA: the policy and the list of approved policies, to be stored in the document. Default: not stored. */
  readonly artifacts?: PolicyArtifacts
  readonly signal?: AbortSignal
}

const DEFAULT_TIMESTAMP_BYTES = 8192

/**
 * Adds what the level needs and the document lacks: a signature timestamp inside the last signature's gap, evidence for
 * every signature that has none yet, a document timestamp over it all. Extending a document of that level again renews
 * it: evidence for the last document timestamp, and a new one over that.
 */
export async function extendPades(document: Uint8Array, options: ExtendPadesOptions): Promise<Buffer> {
  requireArguments('extendPades', { document: [document, 'bytes'] }, options, ['level', 'now'])
  const parts = partsOf(options.level)
  requireHelpers(options)
  let extended = Buffer.from(document.buffer, document.byteOffset, document.length)
  if (parts.timestamp) extended = await withTimestamp(extended, options)
  if (parts.validationData) extended = await withEvidence(extended, options)
  if (parts.documentTimestamp) extended = await withArchiveTimestamp(extended, options)
  return extended
}

/** Refuses in advance what would fail after the key has signed. */
export function requireHelpers({
  level,
  timestamps,
  judge,
}: Pick<ExtendPadesOptions, 'level' | 'timestamps' | 'judge'>): void {
  const parts = partsOf(level)
  if (parts.timestamp && !timestamps) throw refusePades('pades.timestamps-missing', { level })
  if (parts.validationData && !judge) throw refusePades('pades.judge-missing', { level })
}

/**
 * A timestamp that proves when the newest signature existed. It goes into the signature's own gap, as long as nothing
 * came after it: a later signature covers these bytes. ETSI accepts a document timestamp instead, ICP-Brasil does not.
 */
async function withTimestamp(document: Buffer, options: ExtendPadesOptions): Promise<Buffer> {
  const signatures = embeddedSignatures(openPdf(document, options))
  const at = signatures.findLastIndex(({ kind }) => kind === 'signature')
  const signature = signatures[at]
  if (!signature) throw refusePades('pades.no-signature')
  const signedData = signedDataIn(signature)
  if (timestampsOf(signedData).length > 0) return document
  const isPolicyLevel = partsOf(options.level).policy !== undefined
  if (!isPolicyLevel && at < signatures.length - 1) {
    return signatures.at(-1)!.kind === 'document-timestamp' ? document : withArchiveTimestamp(document, options)
  }
  if (at === signatures.length - 1 && isNewest(document, options)) {
    const stamped = await stampInHole(document, signature, signedData, options, isPolicyLevel)
    if (stamped) return stamped
  } else if (isPolicyLevel) {
    throw refusePades('pades.no-room-for-timestamp', { reason: 'the document was changed after it' })
  }
  return withArchiveTimestamp(document, options)
}

/** Whether the newest revision is the one that the last signature covers to its end. */
function isNewest(document: Buffer, options: PdfPassword): boolean {
  const file = openPdf(document, options)
  const last = embeddedSignatures(file).at(-1)
  const range = file.resolve(last?.dict.get('ByteRange'))
  return Array.isArray(range) && Number(range[2]) + Number(range[3]) === document.length
}

async function stampInHole(
  document: Buffer,
  { contents, cms }: EmbeddedSignature,
  signedData: SignedData,
  { timestamps, digest, signal }: ExtendPadesOptions,
  required: boolean,
): Promise<Buffer | undefined> {
  const hole: HoledRevision = { appended: document, holeStart: contents.start!, holeEnd: contents.end! }
  const { token } = await timestamps!.stamp(signedData.signers[0]!.signature, {
    ...(digest && { digest }),
    ...(signal && { signal }),
  })
  const stamped = withSignatureTimestamp(cms, token)
  const reserved = roomIn(hole)
  if (stamped.length > reserved) {
    if (!required) return undefined
    throw refusePades('pades.hole-too-small', { needed: stamped.length, reserved })
  }
  const output = Buffer.from(document)
  fillHole(output, hole, stamped)
  return output
}

/** The tokens on a signature. */
const timestampsOf = (signedData: SignedData): Buffer[] =>
  valuesOf(signedData.signers[0]?.unsignedAttributes, attributeOids.signatureTimestamp).map(({ raw }) => raw)

async function withEvidence(document: Buffer, options: ExtendPadesOptions): Promise<Buffer> {
  const file = openPdf(document, options)
  const signatures = embeddedSignatures(file)
  if (signatures.length === 0) throw refusePades('pades.no-signature')
  const evidence: SignatureEvidence[] = []
  for (const signature of signatures) {
    if (!hasEvidence(file, signature.contents.bytes)) evidence.push(await collect(signature, options))
  }
  if (evidence.length === 0) return document
  const artifacts = partsOf(options.level).policy === 'AD-RA' ? options.artifacts : undefined
  return Buffer.concat([document, writeSecurityStore(file, evidence, options.now, artifacts)])
}

/** Chain and revocation data of the signer, and of the timestamp authorities. */
async function collect(signature: EmbeddedSignature, { judge, now }: ExtendPadesOptions): Promise<SignatureEvidence> {
  const data: ValidationData[] = []
  const stamped = async (token: Uint8Array) => {
    const { signedData, time } = readTimestampToken(token)
    const certificates = signedData.certificates
    const authority = signerOf(signature, signedData)
    data.push(await judge!.validationData(authority, { at: time, now, certificates, purpose: 'timestamping' }))
    return time
  }
  if (signature.kind === 'document-timestamp') await stamped(signature.cms)
  else {
    const signedData = signedDataIn(signature)
    let at = now
    for (const token of timestampsOf(signedData)) at = await stamped(token)
    const certificates = signedData.certificates
    data.push(await judge!.validationData(signerOf(signature, signedData), { at, now, certificates }))
  }
  return {
    contents: signature.contents.bytes,
    certificates: [...new Set(data.flatMap(({ certificates }) => certificates))].map(({ der }) => der),
    crls: distinct(data.flatMap(({ crls }) => crls)),
    ocsps: distinct(data.flatMap(({ ocsps }) => ocsps)),
  }
}

function signerOf({ fieldName }: EmbeddedSignature, { signers, certificates }: SignedData): Certificate {
  const [signer] = signers
  const certificate = signer && certificates.find((candidate) => identifies(signer.identifier, candidate))
  if (!certificate) throw refusePades('pades.signature-unreadable', { field: fieldName })
  return certificate
}

const distinct = (values: readonly Uint8Array[]): Uint8Array[] =>
  values.filter((value, i) => values.findIndex((other) => Buffer.compare(other, value) === 0) === i)

/** How a document gets a timestamp of its own, whether anybody signed it or not. */
export interface TimestampPadesOptions
  extends Pick<ExtendPadesOptions, 'digest' | 'timestampBytes' | 'signal' | 'password'>,
    Pick<SignatureRevisionOptions, 'fieldName' | 'appearance' | 'uuid'> {
  readonly timestamps: TimestampClient
  readonly reason?: string
}

/** The document with a timestamp over all of it (ISO 32000-2 §12.8.5). */
export async function timestampPades(document: Uint8Array, options: TimestampPadesOptions): Promise<Buffer> {
  requireArguments('timestampPades', { document: [document, 'bytes'] }, options, ['timestamps'])
  return withDocumentTimestamp(Buffer.from(document.buffer, document.byteOffset, document.length), options)
}

type Stamping = { readonly [Name in keyof TimestampPadesOptions]?: TimestampPadesOptions[Name] | undefined }

/** The field, the look and the reason that the options may have are those of the signature, not of its timestamp. */
const withArchiveTimestamp = (
  document: Buffer,
  { timestamps, digest, timestampBytes, signal, password }: ExtendPadesOptions,
): Promise<Buffer> => withDocumentTimestamp(document, { timestamps, digest, timestampBytes, signal, password })

async function withDocumentTimestamp(document: Buffer, options: Stamping): Promise<Buffer> {
  const file = openPdf(document, options)
  const room = options.timestampBytes ?? DEFAULT_TIMESTAMP_BYTES
  try {
    return await stampDocument(file, options, room)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'pades.hole-too-small') throw error
    // Only the response shows how long this authority's tokens are: try again with enough room.
    return await stampDocument(file, options, Number(error.details?.needed) + 64)
  }
}

async function stampDocument(
  file: PdfFile,
  { timestamps, digest = 'sha256', signal, reason, fieldName, appearance, uuid }: Stamping,
  room: number,
): Promise<Buffer> {
  const entries = reason === undefined ? timestampNames : { ...timestampNames, Reason: writeText(reason) }
  const revision = writeSignatureRevision(file, { type: 'DocTimeStamp', entries, room, fieldName, appearance, uuid })
  const imprint = digestAroundHole(file.bytes, revision, digest)
  const { token } = await timestamps!.stampDigest(digest, imprint, signal ? { signal } : {})
  fillHole(revision.appended, revision, token)
  return Buffer.concat([file.bytes, revision.appended])
}
