import type { Hash } from 'node:crypto'
import { completeCms, contentDigestName, hasFixedLength, longestSignature } from '../cms/cms-template.ts'
import { encapsulatedHeader } from '../cms/der-header.ts'
import { refuseCms } from '../cms/errors.ts'
import { attributeOids } from '../cms/oids.ts'
import { rewriteSignedData } from '../cms/rewrite-signed-data.ts'
import { readSignedData, type SignedData, valuesOf } from '../cms/signed-data.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { startDigest } from '../crypto/digest.ts'
import { toPem } from '../der/pem.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { contentTimestampsOf } from '../signing/content-timestamp.ts'
import type { Prepared } from '../signing/signing-state.ts'
import { failingLater } from '../streams/failing-later.ts'
import type { Certificate } from '../x509/certificate.ts'
import { cmsBytes } from './cades-file.ts'
import { requireHelpers, stepsOf } from './cades-level.ts'
import { beforeContent, berHead, berPiece, berTail, derFrame } from './content-frame.ts'
import { refuseCades } from './errors.ts'
import { extendDer } from './extend-cades.ts'
import {
  type CadesOptions,
  type CadesStateData,
  cmsOf,
  completeCades,
  prepareCadesOverDigest,
  prepareCoSignature,
} from './prepare-cades.ts'
import type { CadesHelpers } from './sign-cades.ts'
import { readSignedDataStream } from './streamed-signed-data.ts'

/** Content that is not held in memory: a stream, or a function that opens it each time it is called. */
export type ContentSource = AsyncIterable<Uint8Array> | (() => AsyncIterable<Uint8Array>)

export interface CadesStreamOptions extends CadesOptions, CadesHelpers {
  /** Bytes of the content, if known. */
  readonly length?: number
}

/**
 * Signs content of any size in constant memory. A function is read twice, and an attached signature is then DER always.
 * A plain stream is read once: DER needs `length`, a basic level and a key whose signatures have one length (RSA,
 * Ed25519); otherwise the signature is BER with indefinite lengths, which says the same.
 */
export async function* signCadesStream(
  source: ContentSource,
  signer: DigestSigner,
  options: CadesStreamOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  requireArguments('signCadesStream', { source: [source, 'stream source'], signer: [signer, 'signer'] }, options, [
    'now',
  ])
  failingLater(source)
  requireHelpers(options.level ?? 'B-B', options)
  const all = { chain: signer.chain, ...options, encoding: 'DER' as const }
  const parts =
    options.packaging === 'detached' ? detachedParts(source, signer, all) : attachedParts(source, signer, all)
  yield* options.encoding === 'PEM' ? armoured(parts) : parts
}

/** First half of a signature over a stream, made by a key elsewhere: reads the content once. */
export async function prepareCadesStream(
  source: ContentSource,
  certificate: Certificate,
  options: CadesOptions,
): Promise<Prepared<CadesStateData>> {
  requireArguments(
    'prepareCadesStream',
    { source: [source, 'stream source'], certificate: [certificate, 'certificate'] },
    options,
    ['now'],
  )
  const { contentDigest } = await hashed(source, contentDigestName({ certificate, ...options }))
  return prepareCadesOverDigest(contentDigest, certificate, options)
}

/** An attached signature without its content. */
export interface DetachedCades {
  /** The same signatures as a detached CMS in DER: to co-sign, to extend, to validate with what else is here. */
  readonly detached: Buffer
  /** Of the content that was inside: SHA-256, and by the digests that its signers announced. */
  readonly contentDigests: Readonly<Partial<Record<DigestName, Buffer>>>
  /** The start of an archive-time-stamp-v2 imprint. */
  archiveHash(name: DigestName): Hash | undefined
}

/** Takes the content out of an attached signature of any size, in DER or BER; reads it once, in constant memory. */
export async function detachCadesContent(attached: AsyncIterable<Uint8Array>): Promise<DetachedCades> {
  requireArguments('detachCadesContent', { attached: [attached, 'stream'] })
  failingLater(attached)
  const read = await readSignedDataStream(attached)
  if (!read.attached) throw refuseCades('cades.content-needed')
  if (read.trailing > 0) throw refuseCms('cms.malformed', { reason: `${read.trailing} bytes follow it.` })
  const names = new Set<DigestName>(['sha256', ...digestsOf(read.signedData)])
  const digests = [...names].flatMap((name) => {
    const value = read.digest(name)
    return value ? [[name, value] as const] : []
  })
  return {
    detached: rewriteSignedData(read.signedData, {}),
    contentDigests: Object.fromEntries(digests),
    archiveHash: (name) => read.archiveHash(name),
  }
}

/** A stream that is co-signed is read twice, and the signature is DER. */
export type CoSignStreamOptions = Omit<CadesStreamOptions, 'packaging' | 'encoding' | 'length'>

/**
 * Adds a parallel signature to an attached one of any size, in constant memory; the existing ones keep every byte.
 * `content` opens the content that they signed: any other ends in an error.
 */
export async function* coSignCadesStream(
  attached: AsyncIterable<Uint8Array>,
  content: () => AsyncIterable<Uint8Array>,
  signer: DigestSigner,
  options: CoSignStreamOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  requireArguments(
    'coSignCadesStream',
    { attached: [attached, 'stream'], content: [content, 'function'], signer: [signer, 'signer'] },
    options,
    ['now'],
  )
  requireHelpers(options.level ?? 'B-B', options)
  const { detached: existing } = await detachCadesContent(attached)
  const { certificate, chain } = signer
  const { contentDigest, length } = await hashed(content, contentDigestName({ ...options, certificate }))
  const all = { chain, ...options }
  const stamps = await contentTimestampsOf(contentDigestName({ ...options, certificate }), () => contentDigest, options)
  const prepared = prepareCoSignature(existing, certificate, { ...all, ...stamps, contentDigest })
  const detached = await signedAs(prepared, signer, all, (_encapsulated, archive) =>
    archiveStart(content, archive, encapsulatedHeader(length)),
  )
  yield* attachCadesContent(detached, content, length)
}

/**
 * Puts the content into a detached signature: the second half of an attached signature over a stream, after
 * `completeCades` and perhaps `extendCades`. Content of another length or digest, by any of its signers, ends in an
 * error, not in a signature.
 */
export async function* attachCadesContent(
  detached: Uint8Array,
  source: ContentSource,
  length: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  requireArguments('attachCadesContent', {
    detached: [detached, 'bytes'],
    source: [source, 'stream source'],
    length: [length, 'number'],
  })
  failingLater(source)
  const der = Buffer.from(cmsBytes(detached))
  const signedData = readSignedData(der)
  const frame = derFrame(der, length)
  const hashes = new Map(digestsOf(signedData).map((name) => [name, startDigest(name)]))
  yield frame.head
  yield* passing(source, [...hashes.values()], length)
  requireSigned(signedData, new Map([...hashes].map(([name, hash]) => [name, hash.digest()])))
  yield frame.tail
}

/** The digests that signers signed the content by, each once. */
const digestsOf = ({ signers }: SignedData): readonly DigestName[] => [
  ...new Set(signers.flatMap(({ digest }) => digest ?? [])),
]

/** Every signer must have signed this content. */
function requireSigned({ signers }: SignedData, digests: ReadonlyMap<DigestName, Buffer>): void {
  for (const { digest, signedAttributes } of signers) {
    const [expected] = valuesOf(signedAttributes, attributeOids.messageDigest)
    const found = digest && digests.get(digest)
    if (expected && found && !found.equals(expected.octets())) throw refuseCades('cades.content-changed')
  }
}

const opened = (source: ContentSource): AsyncIterable<Uint8Array> => (typeof source === 'function' ? source() : source)

async function hashed(source: ContentSource, name: DigestName): Promise<{ contentDigest: Buffer; length: number }> {
  const hash = startDigest(name)
  let length = 0
  for await (const piece of opened(source)) {
    hash.update(piece)
    length += piece.length
  }
  return { contentDigest: hash.digest(), length }
}

/** The content, hashed on its way; its length must be the announced one, for the header has it already. */
async function* passing(source: ContentSource, hashes: readonly Hash[], expected: number): AsyncGenerator<Uint8Array> {
  let found = 0
  for await (const piece of opened(source)) {
    found += piece.length
    if (found > expected) throw refuseCades('cades.stream-too-long', { expected })
    for (const hash of hashes) hash.update(piece)
    yield piece
  }
  if (found < expected) throw refuseCades('cades.stream-ended', { expected, found })
}

async function* detachedParts(source: ContentSource, signer: DigestSigner, options: CadesStreamOptions) {
  const { contentDigest } = await hashed(source, contentDigestName({ ...options, certificate: signer.certificate }))
  yield await signedOver(contentDigest, signer, options, (encapsulated, name) =>
    archiveStart(source, name, encapsulated),
  )
}

async function* attachedParts(source: ContentSource, signer: DigestSigner, options: CadesStreamOptions) {
  if (typeof source === 'function') yield* readTwice(source, signer, options)
  else yield* readOnce(source, signer, options)
}

async function* readTwice(source: () => AsyncIterable<Uint8Array>, signer: DigestSigner, options: CadesStreamOptions) {
  const name = contentDigestName({ ...options, certificate: signer.certificate })
  const { contentDigest, length } = await hashed(source, name)
  const detached = await signedOver(contentDigest, signer, options, (_detached, archive) =>
    archiveStart(source, archive, encapsulatedHeader(length)),
  )
  yield* attachCadesContent(detached, source, length)
}

async function* readOnce(source: AsyncIterable<Uint8Array>, signer: DigestSigner, options: CadesStreamOptions) {
  const { certificate } = signer
  const { level = 'B-B', length } = options
  if (stepsOf[level].archiveTimestampV2) throw refuseCades('cades.stream-read-once', { level })
  const name = contentDigestName({ ...options, certificate })
  // A signature of the same shape tells how long the real one will be, before there is anything to sign.
  const { state } = prepareCadesOverDigest(startDigest(name).digest(), certificate, options)
  const shape = completeCms(cmsOf(state), Buffer.alloc(longestSignature(certificate, state.algorithm)))
  const isPredictable =
    hasFixedLength(state.algorithm) && !stepsOf[level].signatureTimestamp && !options.contentTimestamp
  const asDer = length !== undefined && isPredictable
  const hash = startDigest(name)
  yield asDer ? derFrame(shape, length).head : berHead(beforeContent(shape))
  if (length === undefined) {
    for await (const piece of source) {
      hash.update(piece)
      yield* berPiece(piece)
    }
  } else {
    for await (const piece of passing(source, [hash], length)) yield* asDer ? [piece] : berPiece(piece)
  }
  const detached = await signedOver(hash.digest(), signer, options, () => Promise.resolve(undefined))
  yield asDer ? derFrame(detached, length).tail : berTail(detached)
}

type ArchiveHash = (encapsulated: Buffer, name: DigestName) => Promise<Hash | undefined>

/** A detached signature of the level asked for. */
async function signedOver(
  contentDigest: Uint8Array,
  signer: DigestSigner,
  options: CadesStreamOptions,
  archiveHash: ArchiveHash,
): Promise<Buffer> {
  const { certificate } = signer
  const stamps = await contentTimestampsOf(contentDigestName({ ...options, certificate }), () => contentDigest, options)
  const prepared = prepareCadesOverDigest(contentDigest, certificate, { ...options, ...stamps })
  return signedAs(prepared, signer, options, archiveHash)
}

/** What was prepared, detached, signed and brought to its level; signatures of others stay as they are. */
async function signedAs(
  { toSign, digest, algorithm, state }: Prepared<CadesStateData>,
  signer: DigestSigner,
  options: CoSignStreamOptions,
  archiveHash: ArchiveHash,
): Promise<Buffer> {
  const basic = completeCades(state, await signer.sign({ toSign, digest, algorithm }))
  const { level = 'B-B', now, timestamps, judge } = options
  const steps = stepsOf[level]
  if (!steps.signatureTimestamp) return basic
  const { encapsulated, signers } = readSignedData(basic)
  const own = signers.findIndex(({ toBeSigned }) => toBeSigned?.equals(toSign))
  const name = signers[own]?.digest === 'sha512' ? 'sha512' : 'sha256'
  const start = steps.archiveTimestampV2 ? await archiveHash(encapsulated, name) : undefined
  return extendDer(basic, {
    level,
    now,
    signer: own,
    ...(timestamps && { timestamps }),
    ...(judge && { judge }),
    archiveHash: () => start,
  })
}

/** What an archive timestamp of version 2 begins with: the encapsulation, then the content; read once more for it. */
async function archiveStart(source: ContentSource, name: DigestName, before: Uint8Array): Promise<Hash | undefined> {
  if (typeof source !== 'function') throw refuseCades('cades.stream-read-once', { level: 'AD-RA' })
  const hash = startDigest(name).update(before)
  for await (const piece of source()) hash.update(piece)
  return hash
}

async function* armoured(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [begin, end] = toPem('PKCS7', Buffer.alloc(0)).split('\n\n') as [string, string]
  yield Buffer.from(`${begin}\n`)
  let rest = Buffer.alloc(0)
  for await (const part of parts) {
    const all = Buffer.concat([rest, part])
    const whole = all.length - (all.length % LINE_BYTES)
    if (whole > 0) yield Buffer.from(lines(all.subarray(0, whole)))
    rest = all.subarray(whole)
  }
  if (rest.length > 0) yield Buffer.from(lines(rest))
  yield Buffer.from(end)
}

/** 64 characters. */
const LINE_BYTES = 48

const lines = (bytes: Buffer): string => bytes.toString('base64').replace(/.{1,64}/g, '$&\n')
