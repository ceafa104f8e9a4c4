import { watchAddress } from '@chancela/service-kernel/health'
import { EngineError } from '@chancela/signature-engine'
import type { Judge } from '@chancela/signature-engine/judgement'
import { isIntact, type SignatureReport } from '@chancela/signature-engine/report'
import {
  createTimestampClient,
  createTimestampRelay,
  type TimestampClient,
  type TimestampRelay,
} from '@chancela/signature-engine/timestamps'
import { extendXades } from '@chancela/signature-engine/xades'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'

/** The authority of the settings; undefined where none is named. */
export function openTimestamps(
  context: Pick<Context, 'settings' | 'clock' | 'readiness' | 'closing'>,
): TimestampClient | undefined {
  const { TimestampAuthority: url } = context.settings.Signatures
  if (url === undefined) return undefined
  watchAddress(context, 'timestamp-authority', { url })
  return createTimestampClient({ authorities: [{ url }] })
}

/** The same for requests that clients write themselves. */
export function openTimestampRelay({ settings }: Pick<Context, 'settings'>): TimestampRelay | undefined {
  const { TimestampAuthority } = settings.Signatures
  return TimestampAuthority === undefined
    ? undefined
    : createTimestampRelay({ authorities: [{ url: TimestampAuthority }] })
}

/** The timestamp that protects an archive signature: the last one, for as long as its certificate is valid. */
export interface ActiveTimestamp {
  readonly issued: Date
  readonly expires: Date
}

const archives = ['AD-RA', 'B-LTA'] as const
type ArchiveLevel = (typeof archives)[number]

/** The archive signature of a file, which must be intact: a timestamp would only keep what is wrong with it. */
export function archiveSignature(reports: readonly SignatureReport[]): SignatureReport {
  const found = reports.findLast(({ level }) => archives.includes(level as ArchiveLevel))
  if (!found) throw refuse('InvalidXml', { reason: 'It has no archive signature.' })
  if (!isIntact(found.integrity)) throw refuse('InvalidXml', { reason: 'The archive signature is not intact.' })
  return found
}

export function activeTimestamp({ timestamps }: SignatureReport): ActiveTimestamp {
  const known = timestamps.flatMap(({ kind, time, certificate }) => {
    const expires = certificate?.path[0]?.notAfter
    return kind === 'archive' && time && expires ? [{ issued: time, expires }] : []
  })
  const [latest] = known.toSorted((one, other) => other.issued.getTime() - one.issued.getTime())
  if (!latest) throw refuse('InvalidXml', { reason: 'It has no archive timestamp that could be read.' })
  return latest
}

/** The file with the next archive timestamp. */
export async function withNextTimestamp(
  file: Uint8Array,
  { level, name }: SignatureReport,
  { timestamps, judge, now }: { readonly timestamps: TimestampClient; readonly judge: Judge; readonly now: Date },
): Promise<Buffer> {
  try {
    return await extendXades(file, { level: level as ArchiveLevel, signature: name, timestamps, judge, now })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const isXml = error.code.startsWith('xades.') || error.code.startsWith('xml.')
    throw refuse(isXml ? 'InvalidXml' : 'TimestampingUnavailable', { reason: error.message }, error)
  }
}
