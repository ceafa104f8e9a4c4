import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { Context } from '../context.ts'

/** The customer's logo, as it was at start-up. */
export interface CustomerLogo {
  readonly bytes: Buffer
  readonly mediaType: string
  /** Changes with the content, so that a cached copy never becomes stale. */
  readonly hash: string
}

const MOST_BYTES = 256 * 1024

const startsWith =
  (...bytes: readonly number[]) =>
  (file: Buffer) =>
    file.subarray(0, bytes.length).equals(Buffer.from(bytes))

const isPng = startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const isJpeg = startsWith(0xff, 0xd8, 0xff)
const isWebp = (file: Buffer) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP'
// After what may precede the root of an XML document: a byte order mark, declaration, comments, doctype.
const isSvg = (file: Buffer) => /^\uFEFF?\s*(?:<(?:\?|!--|!DOCTYPE)[^>]*>\s*)*<svg[\s>/]/i.test(file.toString('utf8'))

/** Extension → media type, and whether bytes are of that kind. */
const kinds: Readonly<Record<string, { readonly mediaType: string; readonly fits: (file: Buffer) => boolean }>> = {
  '.png': { mediaType: 'image/png', fits: isPng },
  '.jpg': { mediaType: 'image/jpeg', fits: isJpeg },
  '.jpeg': { mediaType: 'image/jpeg', fits: isJpeg },
  '.webp': { mediaType: 'image/webp', fits: isWebp },
  '.svg': { mediaType: 'image/svg+xml', fits: isSvg },
}

const SETTING = 'batch-signer Branding:CustomerLogo'

/**
 * Reads the logo. A file of the wrong kind prevents the start; one that cannot be read now is only logged, because the
 * service signs without it.
 */
export async function readCustomerLogo({
  settings,
  dataFolder,
  logger,
}: Pick<Context, 'settings' | 'dataFolder' | 'logger'>): Promise<CustomerLogo | undefined> {
  const { CustomerLogo: path } = settings.Branding
  if (path === undefined) return undefined
  const kind = kinds[extname(path).toLowerCase()]
  if (!kind) throw wrong('must name a png, jpg, jpeg, webp or svg file.')
  const bytes = await read(resolve(dataFolder, path))
  if (bytes instanceof Error) {
    logger.warn({ err: bytes }, 'the customer logo cannot be read; pages are shown without it')
    return undefined
  }
  if (bytes.length > MOST_BYTES) throw wrong('has more than 256 KiB.')
  if (!kind.fits(bytes)) throw wrong(`is not what its extension ${extname(path)} says.`)
  return { bytes, mediaType: kind.mediaType, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 16) }
}

async function read(path: string): Promise<Buffer | Error> {
  try {
    // Checks the size first: a disk image named logo.png must not be read into memory.
    return (await stat(path)).size > MOST_BYTES ? Buffer.alloc(MOST_BYTES + 1) : await readFile(path)
  } catch (error) {
    return error as Error
  }
}

const wrong = (sentence: string) => new StartupProblem(`${SETTING}: the file ${sentence}`, { setting: SETTING })
