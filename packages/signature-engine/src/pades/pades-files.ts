import type { Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { contentDigestName } from '../cms/cms-template.ts'
import { startDigest } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { appendedTo, ChangedSource, fileSource, type PdfSource } from '../pdf/pdf-source.ts'
import type { ValidationReport } from '../report/report.ts'
import { type ExtendPadesOptions, extendSource, requireHelpers } from './extend-pades.ts'
import { partsOf } from './levels.ts'
import { completePades, prepareStampedPades } from './prepare-pades.ts'
import { pictureOf, type SignPadesOptions } from './sign-pades.ts'
import { type ValidatePadesOptions, validatePades } from './validate-pades.ts'

/** A PDF on the disk: its path, or the open file, which stays open. */
export type PdfPlace = string | FileHandle

/** Bytes that are copied at once. */
const CHUNK = 1024 * 1024

/**
 * Signs a PDF of any size from one file into another, which must not exist yet, without ever having it in memory: what
 * signing needs is read, the rest is hashed and copied piece by piece.
 */
export async function signPadesFile(
  document: PdfPlace,
  signed: PdfPlace,
  signer: DigestSigner,
  options: Omit<SignPadesOptions, 'digestState' | 'output'>,
): Promise<void> {
  const places = { document: [document, 'place'], signed: [signed, 'place'], signer: [signer, 'signer'] } as const
  requireArguments('signPadesFile', places, options, ['now'])
  const { level = 'B-B' } = options
  requireHelpers({ ...options, level })
  await between(document, signed, async (source, output) => {
    const digestState = startDigest(contentDigestName({ certificate: signer.certificate, digest: options.digest }))
    await copy(source, output, digestState)
    const basic = appendedTo(source, await signatureOver(source, signer, { ...options, digestState }))
    await writeChanges(partsOf(level).timestamp ? await extendSource(basic, { ...options, level }) : basic, output)
  })
}

async function signatureOver(source: PdfSource, signer: DigestSigner, options: SignPadesOptions): Promise<Buffer> {
  const { appearance: _appearance, mark: _mark, chain = signer.chain, ...rest } = options
  const drawn = await pictureOf(source, signer, options)
  const prepared = await prepareStampedPades(source, signer.certificate, {
    ...rest,
    chain,
    ...(drawn && { appearance: drawn }),
  })
  return completePades(prepared.state, await signer.sign(prepared), options)
}

/** Brings a signed PDF of any size to a higher level, from one file into another, which must not exist yet. */
export async function extendPadesFile(
  document: PdfPlace,
  extended: PdfPlace,
  options: ExtendPadesOptions,
): Promise<void> {
  const places = { document: [document, 'place'], extended: [extended, 'place'] } as const
  requireArguments('extendPadesFile', places, options, ['level', 'now'])
  await between(document, extended, async (source, output) => {
    await copy(source, output)
    await writeChanges(await extendSource(source, options), output)
  })
}

/** Validates a PDF of any size: only what the verdict needs is read, and what is signed is hashed piece by piece. */
export async function validatePadesFile(document: PdfPlace, options: ValidatePadesOptions): Promise<ValidationReport> {
  requireArguments('validatePadesFile', { document: [document, 'place'] }, options, ['judge', 'now'])
  return withSource(document, (source) => validatePades(source, options))
}

/** Reads a PDF where it is. */
export const withSource = <T>(document: PdfPlace, work: (source: PdfSource) => Promise<T>): Promise<T> =>
  within(document, 'r', async (file) => work(await sourceIn(file)))

const sourceIn = async (file: FileHandle): Promise<PdfSource> => fileSource(file, (await file.stat()).size)

const between = (from: PdfPlace, to: PdfPlace, work: (source: PdfSource, output: FileHandle) => Promise<void>) =>
  within(from, 'r', async (input) => within(to, 'wx', async (output) => work(await sourceIn(input), output)))

async function within<T>(place: PdfPlace, flags: 'r' | 'wx', work: (file: FileHandle) => Promise<T>): Promise<T> {
  if (typeof place !== 'string') return work(place)
  const file = await open(place, flags)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

async function copy(source: PdfSource, output: FileHandle, hash?: Hash): Promise<void> {
  for (let at = 0; at < source.length; at += CHUNK) {
    const piece = source.read(at, Math.min(source.length, at + CHUNK))
    hash?.update(piece)
    await writeAll(output, piece, at)
  }
}

async function writeChanges(source: PdfSource, output: FileHandle): Promise<void> {
  if (source instanceof ChangedSource) for (const { at, bytes } of source.layers) await writeAll(output, bytes, at)
}

async function writeAll(output: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await output.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
