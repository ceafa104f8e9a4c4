import { createHash, type Hash } from 'node:crypto'
import { completeCms, contentDigestName, hasFixedLength, longestSignature } from '../cms/cms-template.ts'
import { encapsulatedHeader } from '../cms/der-header.ts'
import { attributeOids } from '../cms/oids.ts'
import { readSignedData, valuesOf } from '../cms/signed-data.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { toPem } from '../der/pem.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
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
} from './prepare-cades.ts'
import type { CadesHelpers } from './sign-cades.ts'

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
  const { contentDigest } = await hashed(source, contentDigestName({ certificate, ...options }))
  return prepareCadesOverDigest(contentDigest, certificate, options)
}

/**
 * Puts the content into a detached signature: the second half of an attached signature over a stream, after
 * `completeCades` and perhaps `extendCades`. Content of another length or digest ends in an error, not in a signature.
 */
export async function* attachCadesContent(
  detached: Uint8Array,
  source: ContentSource,
  length: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  failingLater(source)
  const der = Buffer.from(cmsBytes(detached))
  const [first] = readSignedData(der).signers
  const [expected] = valuesOf(first?.signedAttributes, attributeOids.messageDigest)
  const frame = derFrame(der, length)
  const hash = createHash(first?.digest ?? 'sha256')
  yield frame.head
  yield* passing(source, hash, length)
  if (expected && !hash.digest().equals(expected.octets())) throw refuseCades('cades.content-changed')
  yield frame.tail
}

const opened = (source: ContentSource): AsyncIterable<Uint8Array> => (typeof source === 'function' ? source() : source)

async function hashed(source: ContentSource, name: DigestName): Promise<{ contentDigest: Buffer; length: number }> {
  const hash = createHash(name)
  let length = 0
  for await (const piece of opened(source)) {
    hash.update(piece)
    length += piece.length
  }
  return { contentDigest: hash.digest(), length }
}

/** The content, hashed on its way; its length must be the announced one, for the header has it already. */
async function* passing(source: ContentSource, hash: Hash, expected: number): AsyncGenerator<Uint8Array> {
  let found = 0
  for await (const piece of opened(source)) {
    found += piece.length
    if (found > expected) throw refuseCades('cades.stream-too-long', { expected })
    hash.update(piece)
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
  const { state } = prepareCadesOverDigest(createHash(name).digest(), certificate, options)
  const shape = completeCms(cmsOf(state), Buffer.alloc(longestSignature(certificate, state.algorithm)))
  const asDer = length !== undefined && hasFixedLength(state.algorithm) && !stepsOf[level].signatureTimestamp
  const hash = createHash(name)
  yield asDer ? derFrame(shape, length).head : berHead(beforeContent(shape))
  if (length === undefined) {
    for await (const piece of source) {
      hash.update(piece)
      yield* berPiece(piece)
    }
  } else {
    for await (const piece of passing(source, hash, length)) yield* asDer ? [piece] : berPiece(piece)
  }
  const detached = await signedOver(hash.digest(), signer, options, () => Promise.resolve(undefined))
  yield asDer ? derFrame(detached, length).tail : berTail(detached)
}

/** A detached signature of the level asked for. */
async function signedOver(
  contentDigest: Uint8Array,
  signer: DigestSigner,
  options: CadesStreamOptions,
  archiveHash: (encapsulated: Buffer, name: DigestName) => Promise<Hash | undefined>,
): Promise<Buffer> {
  const { toSign, digest, algorithm, state } = prepareCadesOverDigest(contentDigest, signer.certificate, options)
  const basic = completeCades(state, await signer.sign({ toSign, digest, algorithm }))
  const { level = 'B-B', now, timestamps, judge } = options
  const steps = stepsOf[level]
  if (!steps.signatureTimestamp) return basic
  const { encapsulated, signers } = readSignedData(basic)
  const name = signers[0]?.digest === 'sha512' ? 'sha512' : 'sha256'
  const start = steps.archiveTimestampV2 ? await archiveHash(encapsulated, name) : undefined
  return extendDer(basic, {
    level,
    now,
    ...(timestamps && { timestamps }),
    ...(judge && { judge }),
    archiveHash: () => start,
  })
}

/** What an archive timestamp of version 2 begins with: the encapsulation, then the content; read once more for it. */
async function archiveStart(source: ContentSource, name: DigestName, before: Uint8Array): Promise<Hash | undefined> {
  if (typeof source !== 'function') throw refuseCades('cades.stream-read-once', { level: 'AD-RA' })
  const hash = createHash(name).update(before)
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
