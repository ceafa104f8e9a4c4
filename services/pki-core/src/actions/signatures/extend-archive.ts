// The renewal of archive signatures (pki-core facts 4).
import { DAY } from '@chancela/service-kernel/clock'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { ExtensionAnswer, ExtensionRequest } from '../../contract/archival-extension.ts'
import {
  type ActiveTimestamp,
  activeTimestamp,
  archiveSignature,
  withNextTimestamp,
} from '../../parts/signing/archive-timestamps.ts'
import { readSignatures } from '../../parts/signing/read-signatures.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { keepContent } from '../uploads/uploads.ts'
import { requiredContext, type SigningDependencies } from './prepare-signature.ts'

const daysLeft = ({ expires }: ActiveTimestamp, now: Date): number =>
  Math.floor((expires.getTime() - now.getTime()) / DAY)

const shown = ({ issued, expires }: ActiveTimestamp) => ({
  dateIssued: issued.toISOString(),
  dateExpires: expires.toISOString(),
})

export async function extend(
  dependencies: SigningDependencies & { readonly timestamps: TimestampClient | undefined },
  caller: Caller,
  request: ExtensionRequest,
  { base, now }: { readonly base: string; readonly now: Date },
): Promise<ExtensionAnswer> {
  const { files, timestamps } = dependencies
  const trust = await requiredContext(dependencies, caller, request.securityContextId)
  const kept = await files.take(request.file, 'file', { subscriptionId: caller.subscriptionId, base, now })
  const bytes = await files.read(kept)
  const signature = archiveSignature(await readSignatures({ type: 'Xml', bytes }, { now }))
  const before = activeTimestamp(signature)
  const show = (timestamp: ActiveTimestamp) => (request.returnTimestampModels ? shown(timestamp) : null)
  const told = { activeTimestampBefore: show(before), activeTimestampAfter: show(before) }
  // What has ended proves nothing any more, and nothing that comes after can prove it.
  if (before.expires <= now) throw refuse('InvalidXml', { reason: 'The archive timestamp has expired.' })
  if (daysLeft(before, now) >= (request.minActiveTimestampValidityDays ?? Number.POSITIVE_INFINITY))
    return { extended: false, daysUntilExpiration: daysLeft(before, now), ...told, file: null }
  if (!timestamps) throw refuse('TimestampingUnavailable', { reason: 'No timestamp authority is set.' })
  const extended = await withNextTimestamp(bytes, signature, { timestamps, judge: await trust.judge(), now })
  const after = activeTimestamp(archiveSignature(await readSignatures({ type: 'Xml', bytes: extended }, { now })))
  return {
    extended: true,
    daysUntilExpiration: daysLeft(after, now),
    ...told,
    activeTimestampAfter: show(after),
    file: await keepContent(dependencies, caller, extended, kept.name, base, now),
  }
}
