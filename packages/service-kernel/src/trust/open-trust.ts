import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EngineError } from '@chancela/signature-engine'
import { toPem } from '@chancela/signature-engine/der'
import {
  createJudge,
  downloadOfficialRoots,
  exchangeOverHttp,
  type HttpExchange,
  type ImportedRoots,
  importOfficialRoots,
  type Judge,
  RevocationSource,
  TrustAnchors,
} from '@chancela/signature-engine/judgement'
import { type Certificate, readCertificates } from '@chancela/signature-engine/x509'
import { type Clock, MINUTE, SECOND } from '../clock/index.ts'
import { StartupProblem } from '../errors/index.ts'
import type { Logger } from '../http/index.ts'

/** The trust configuration of this host. */
export interface Trust {
  /** The judge over the roots; throws EngineError while the official ones are unavailable. */
  judge(): Promise<Judge>
  /** The roots in use; none until the official ones were fetched. */
  roots(): readonly Certificate[]
}

export interface TrustOptions {
  /** PEM file with the roots. Default: the official ones of ICP-Brasil. */
  readonly file?: string | undefined
  /** The setting of the file, for the message of a failed start. */
  readonly setting: string
  /** Where the official roots are cached. */
  readonly kept: string
  readonly logger: Logger
  readonly clock: Clock
  /** HTTP access to authorities. Default: every address in certificates. */
  readonly exchange?: HttpExchange
  /** How long, in milliseconds, an authority that did not answer is not asked again. Default 30,000. */
  readonly retryAfterMs?: number
}

/** How long answers of authorities are cached. */
const REVOCATION_REFRESH = 5 * MINUTE

/** How long after a failed download of the official roots the next is tried. */
const RETRY_AFTER = 30 * SECOND

/**
 * The roots of the configured file, or the official ones: the engine knows those by fingerprint, so they are downloaded
 * when first needed and cached with the service's data; it does not matter where they came from.
 */
export async function openTrust(options: TrustOptions): Promise<Trust> {
  const { file, kept, logger, clock, exchange = exchangeOverHttp, retryAfterMs } = options
  const retry = retryAfterMs === undefined ? {} : { retryAfterMs }
  const revocation = new RevocationSource({ exchange, refreshAfterMs: REVOCATION_REFRESH, ...retry })
  let roots: readonly Certificate[] = []
  const judgeOver = (anchors: readonly Certificate[], intermediates: readonly Certificate[] = []): Judge => {
    roots = anchors
    return createJudge({ anchors: TrustAnchors.of(anchors), revocation, exchange, intermediates })
  }
  if (file !== undefined) {
    const judge = judgeOver(await configuredRoots(file, options))
    return { judge: async () => judge, roots: () => roots }
  }
  let known: Promise<Judge> | undefined
  let failedAt: number | undefined
  const mayTryAgain = () => failedAt !== undefined && !within(RETRY_AFTER, failedAt, clock())
  const fetched = () =>
    officialRoots(kept, exchange, logger)
      .then(({ accepted, refused }) => judgeOver(accepted, refused))
      .catch((error: unknown) => {
        failedAt = clock().getTime()
        logger.warn({ problem: sentenceOf(error) }, 'The official roots of ICP-Brasil could not be fetched.')
        throw error
      })
  return {
    roots: () => roots,
    judge: () => {
      // A failure is cached for a while: a folder of files must not cause as many downloads.
      if (!known || mayTryAgain()) {
        failedAt = undefined
        known = fetched()
      }
      return known
    },
  }
}

/** Whether so long has not passed; a clock that was set back does not say so. */
const within = (milliseconds: number, since: number, now: Date): boolean =>
  now.getTime() >= since && now.getTime() < since + milliseconds

async function configuredRoots(
  path: string,
  { setting }: Pick<TrustOptions, 'setting'>,
): Promise<readonly Certificate[]> {
  try {
    const roots = readCertificates(await readFile(path))
    if (roots.length > 0) return roots
  } catch (cause) {
    throw new StartupProblem(`${setting}: ${path} cannot be read: ${sentenceOf(cause)}`, { setting, cause })
  }
  throw new StartupProblem(`${setting}: ${path} holds no certificate.`, { setting })
}

/** The cached copy if it is valid; a damaged file is downloaded again. */
async function officialRoots(kept: string, exchange: HttpExchange, logger: Logger): Promise<ImportedRoots> {
  const stored = await keptRoots(kept)
  if (stored) return stored
  const fetched = await downloadOfficialRoots(exchange)
  const pem = [...fetched.accepted, ...fetched.refused].map(({ der }) => toPem('CERTIFICATE', der)).join('')
  try {
    await mkdir(dirname(kept), { recursive: true })
    await writeFile(kept, pem, { flush: true })
  } catch (error) {
    logger.warn({ problem: sentenceOf(error) }, 'The official roots could not be kept; the next start fetches them.')
  }
  return fetched
}

async function keptRoots(kept: string): Promise<ImportedRoots | undefined> {
  try {
    const roots = importOfficialRoots(await readFile(kept))
    return roots.accepted.length > 0 ? roots : undefined
  } catch {
    // Missing, not readable or no certificates: download them.
    return undefined
  }
}

const sentenceOf = (error: unknown): string =>
  error instanceof EngineError ? error.message : String((error as NodeJS.ErrnoException).code ?? error)
