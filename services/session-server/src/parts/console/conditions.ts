// What operators are told of besides the checks of readiness.
import { DAY, plus } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import { type NoticeCondition, noticeConditions } from '../../rules/notice-conditions.ts'
import { certificatesEnding } from '../../store/console-certificates.ts'
import type { OverviewParts } from './overview.ts'

export async function conditionsOf(
  { store, settings, certificates, clock }: Pick<Context, 'store' | 'settings' | 'certificates' | 'clock'>,
  { pinFailures, workstationAdmin }: OverviewParts,
): Promise<readonly NoticeCondition[]> {
  const now = clock()
  return noticeConditions({
    now,
    offlineHours: settings.Workstations.OfflineNoticeHours,
    workstations: await workstationAdmin.list(),
    lockouts: await pinFailures.list(now),
    expiring: await certificatesEnding(store.db, now, plus(now, certificates.warningDays * DAY)),
  })
}
