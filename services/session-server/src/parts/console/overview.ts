// Figures for the first page.
import { noticesOf } from '@chancela/outbox/notices'
import { DAY, plus } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import { type CertificateStatus, certificateStatuses } from '../../contract/common.ts'
import { countLiveSessions, countSignatures } from '../../store/console-activity.ts'
import { countByStatus, countExpiring } from '../../store/console-certificates.ts'
import type { PinFailures } from '../sessions/pin-failures.ts'
import type { WorkstationAdmin } from '../workstations/workstation-admin.ts'
import { statusTime } from './certificates.ts'
import { conditionsOf } from './conditions.ts'

const SOON = 30 * DAY

export interface OverviewParts {
  readonly pinFailures: Pick<PinFailures, 'list'>
  readonly workstationAdmin: Pick<WorkstationAdmin, 'list'>
}

type OverviewContext = Pick<Context, 'store' | 'settings' | 'readiness' | 'certificates'>

export async function overview(context: OverviewContext, parts: OverviewParts, since: Date, now: Date) {
  const { store, settings } = context
  const workstations = await parts.workstationAdmin.list()
  const inState = (state: string) => workstations.filter((one) => one.state === state).length
  const byState = await countSignatures(store.db, since)
  const lockouts = await parts.pinFailures.list(now)
  return {
    liveSessions: await countLiveSessions(store.db, now),
    workstations: { online: inState('online'), offline: inState('offline'), waiting: inState('waiting') },
    certificates: withZeros(await countByStatus(store.db, statusTime(settings, now))),
    expiringSoon: await countExpiring(store.db, now, plus(now, SOON)),
    signaturesToday: {
      signed: byState.get('Signed') ?? 0,
      failed: (byState.get('Failed') ?? 0) + (byState.get('Canceled') ?? 0),
    },
    lockedCpfs: lockouts.filter(({ locked }) => locked).length,
    signer: { endpoint: settings.Signer.Endpoint, reachable: await isSignerReachable(context) },
    allowance: settings.Sessions.SignatureAllowance ?? null,
    notices: await noticesNow(context, parts, now),
  }
}

/** Red checks of readiness, and the conditions, whose reasons are whom they are about. */
async function noticesNow(context: OverviewContext, parts: OverviewParts, now: Date) {
  const conditions = noticesOf(await conditionsOf({ ...context, clock: () => now }, parts))
  return [
    ...noticesOf((await context.readiness.verdict()).checks),
    ...conditions.map(({ detail, ...notice }) => ({ ...notice, who: detail, detail: '' })),
  ]
}

const withZeros = (counts: ReadonlyMap<CertificateStatus, number>) =>
  Object.fromEntries(certificateStatuses.map((status) => [status, counts.get(status) ?? 0]))

/** As the readiness check reports it. */
async function isSignerReachable({ readiness }: OverviewContext): Promise<boolean> {
  const { checks } = await readiness.verdict()
  return checks.find(({ name }) => name === 'signature-service')?.ok ?? false
}
