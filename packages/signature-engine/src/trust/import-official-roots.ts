import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type HttpExchange, requireOk } from '../http/exchange.ts'
import type { Certificate } from '../x509/certificate.ts'
import { readCertificates } from '../x509/certificate-files.ts'
import { isZip, readZip } from '../zip/zip-reader.ts'
import { refuseTrust } from './errors.ts'
import { officialRoots } from './official-roots.ts'

/** Where ITI publishes every certificate of ICP-Brasil in one archive. */
export const officialRootsAddress =
  'http://acraiz.icpbrasil.gov.br/credenciadas/CertificadosAC-ICP-Brasil/ACcompactado.zip'

export interface ImportedRoots {
  /** Roots whose fingerprint is pinned: these may be trusted. */
  readonly accepted: readonly Certificate[]
  /** All other certificates of the file: authorities below the roots (useful as intermediates), or forgeries. */
  readonly refused: readonly Certificate[]
}

const pinned: ReadonlySet<string> = new Set(officialRoots.map(({ fingerprint }) => fingerprint))

/** Finds the official roots in a file, by fingerprint alone: PEM, DER, PKCS#7, or the archive ITI publishes. */
export function importOfficialRoots(bytes: Uint8Array): ImportedRoots {
  requireArguments('importOfficialRoots', { bytes: [bytes, 'bytes'] })
  const certificates = isZip(bytes) ? filesIn(bytes).flatMap(certificatesOrNothing) : readCertificates(bytes)
  const unique = [...new Set(certificates)]
  if (unique.length === 0) throw refuseTrust('trust.no-certificates')
  return {
    accepted: unique.filter(({ fingerprint }) => pinned.has(fingerprint)),
    refused: unique.filter(({ fingerprint }) => !pinned.has(fingerprint)),
  }
}

export interface DownloadOptions {
  /** Default 60,000: the archive is large and its server slow. */
  readonly timeoutMs?: number
  /** Default ITI's. */
  readonly url?: string
}

/** Downloads the archive of ITI and extracts the roots. Plain http does not matter: the fingerprints decide. */
export async function downloadOfficialRoots(
  exchange: HttpExchange,
  options: DownloadOptions = {},
): Promise<ImportedRoots> {
  requireArguments('downloadOfficialRoots', { exchange: [exchange, 'function'] }, options)
  const { timeoutMs = 60_000, url = officialRootsAddress } = options
  const answer = await exchange({ url, method: 'GET', maxBytes: MAX_ARCHIVE_BYTES, timeoutMs })
  return importOfficialRoots(requireOk(answer, url).body)
}

const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024

function filesIn(archive: Uint8Array): Buffer[] {
  try {
    return readZip(archive).entries.map(({ content }) => content)
  } catch (error) {
    throw refuseTrust('trust.zip-malformed', { reason: (error as Error).message }, error)
  }
}

/** An archive has other files too: hashes, notes. What is no certificate is skipped. */
function certificatesOrNothing(content: Uint8Array): Certificate[] {
  try {
    return readCertificates(content)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}
