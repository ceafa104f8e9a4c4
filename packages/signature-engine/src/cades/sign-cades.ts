import { readSignedData } from '../cms/signed-data.ts'
import { digest } from '../crypto/digest.ts'
import { ecdsaToDer } from '../crypto/ecdsa-encoding.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { type ContentTimestampOptions, contentTimestampsOf } from '../signing/content-timestamp.ts'
import type { Prepared } from '../signing/signing-state.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { cmsBytes } from './cades-file.ts'
import { type CadesLevel, requireHelpers, stepsOf } from './cades-level.ts'
import { extendCades } from './extend-cades.ts'
import {
  type CadesOptions,
  type CadesStateData,
  type CounterCadesOptions,
  completeCades,
  digestOfContent,
  type FurtherCadesOptions,
  prepareCades,
  prepareCoSignature,
  prepareCounterSignature,
} from './prepare-cades.ts'

/** What levels above the basic ones and content timestamps need. */
export interface CadesHelpers extends ContentTimestampOptions {
  readonly timestamps?: TimestampClient
  readonly judge?: Judge
}

/** Signs content at the requested level. */
export async function signCades(
  content: Uint8Array,
  signer: DigestSigner,
  options: CadesOptions & CadesHelpers,
): Promise<Buffer> {
  requireArguments('signCades', { content: [content, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  requireHelpers(options.level ?? 'B-B', options)
  const stamps = await contentTimestampsOf('sha256', () => digest('sha256', content), options)
  const all = { chain: signer.chain, ...options, ...stamps }
  const cms = await completed(prepareCades(content, signer.certificate, all), signer)
  return extended(cms.file, cms.signature, content, options)
}

/** Adds a parallel signature; the existing ones keep every byte. */
export async function coSignCades(
  existing: Uint8Array,
  signer: DigestSigner,
  options: FurtherCadesOptions & CadesHelpers,
): Promise<Buffer> {
  requireArguments('coSignCades', { existing: [existing, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  requireHelpers(options.level ?? 'B-B', options)
  const signed = () => digestOfContent(readSignedData(cmsBytes(existing)), 'sha256', options.content)
  const all = { chain: signer.chain, ...options, ...(await contentTimestampsOf('sha256', signed, options)) }
  const cms = await completed(prepareCoSignature(existing, signer.certificate, all), signer)
  return extended(cms.file, cms.signature, options.content, options)
}

/** Counter-signs one of the existing signatures. */
export async function counterSignCades(
  existing: Uint8Array,
  signer: DigestSigner,
  options: CounterCadesOptions,
): Promise<Buffer> {
  requireArguments('counterSignCades', { existing: [existing, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  const all = { chain: signer.chain, ...options }
  return (await completed(prepareCounterSignature(existing, signer.certificate, all), signer)).file
}

async function completed(
  { toSign, digest, algorithm, state }: Prepared<CadesStateData>,
  signer: DigestSigner,
): Promise<{ file: Buffer; signature: Uint8Array }> {
  const signature = await signer.sign({ toSign, digest, algorithm })
  const encoded = algorithm.key === 'ec' ? ecdsaToDer(state.certificate.publicKey, signature) : signature
  return { file: completeCades(state, signature), signature: encoded }
}

/** Extends only the new signature: the others belong to their signers. */
async function extended(
  file: Buffer,
  signature: Uint8Array,
  content: Uint8Array | undefined,
  { level = 'B-B', now, timestamps, judge, encoding }: FurtherCadesOptions & CadesHelpers,
): Promise<Buffer> {
  if (!hasSteps(level)) return file
  const { signers, content: inside } = readSignedData(cmsBytes(file))
  return extendCades(file, {
    level,
    now,
    signer: signers.findIndex((info) => info.signature.equals(signature)),
    ...(timestamps && { timestamps }),
    ...(judge && { judge }),
    ...(encoding && { encoding }),
    ...(content && !inside && { content }),
  })
}

const hasSteps = (level: CadesLevel): boolean => stepsOf[level].signatureTimestamp === true
