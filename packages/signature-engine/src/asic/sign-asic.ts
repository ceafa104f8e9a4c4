import { requireHelpers, stepsOf } from '../cades/cades-level.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { ecdsaToDer } from '../crypto/ecdsa-encoding.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import type { Prepared } from '../signing/signing-state.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { fileNamed, readContainer, uriOf } from './container.ts'
import { type AsicSignatureAt, type ExtendedAsicLevel, extendAsic } from './extend-asic.ts'
import {
  type AsicFile,
  type AsicOptions,
  type AsicSignatureOptions,
  type AsicState,
  type AsicStateData,
  completeAsic,
  prepareAsic,
  prepareAsicSignature,
} from './prepare-asic.ts'

/** What levels above the basic ones need. */
export interface AsicHelpers {
  readonly timestamps?: TimestampClient
  readonly judge?: Judge
}

/** Signs files into a new container, at the requested level. */
export async function signAsic(
  files: readonly AsicFile[],
  signer: DigestSigner,
  options: AsicOptions & AsicHelpers,
): Promise<Buffer> {
  requireArguments('signAsic', { files: [files, 'list'], signer: [signer, 'signer'] }, options, ['now'])
  requireHelpers(options.level ?? 'B-B', options)
  return completed(prepareAsic(files, signer.certificate, { chain: signer.chain, ...options }), signer, options)
}

/** Adds a signature over all files of a container; the existing ones keep every byte. */
export async function addAsicSignature(
  existing: Uint8Array,
  signer: DigestSigner,
  options: AsicSignatureOptions & AsicHelpers,
): Promise<Buffer> {
  requireArguments('addAsicSignature', { existing: [existing, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  requireHelpers(options.level ?? 'B-B', options)
  return completed(
    prepareAsicSignature(existing, signer.certificate, { chain: signer.chain, ...options }),
    signer,
    options,
  )
}

async function completed(
  prepared: Prepared<AsicStateData>,
  signer: DigestSigner,
  { level = 'B-B', now, timestamps, judge }: AsicSignatureOptions & AsicHelpers,
): Promise<Buffer> {
  const signature = await signer.sign(prepared)
  const container = completeAsic(prepared.state, signature)
  if (!isExtended(level)) return container
  const only = whereIn(container, prepared.state, signature)
  return extendAsic(container, { level, now, only, timestamps: timestamps!, ...(judge && { judge }) })
}

const isExtended = (level: keyof typeof stepsOf): level is ExtendedAsicLevel =>
  stepsOf[level].signatureTimestamp === true

/** The new signature, wherever the file that holds it has put it. */
function whereIn(
  container: Uint8Array,
  { certificate, algorithm, data }: AsicState,
  signature: Uint8Array,
): AsicSignatureAt {
  const { path, inner } = data
  if ('id' in inner) return { path, id: inner.id }
  const value = algorithm.key === 'ec' ? ecdsaToDer(certificate.publicKey, signature) : signature
  const { signers } = readSignedData(fileNamed(readContainer(container), uriOf(path))!.content)
  return { path, signer: signers.findIndex((info) => info.signature.equals(value)) }
}
