// Figures for the first page.
import type { AnswerOf } from '@chancela/admin-console/contract'
import { noticesOf } from '@chancela/outbox/notices'
import type { Context } from '../../context.ts'
import type { readOverview } from '../../contract/console-overview.ts'
import { noticeConditions } from '../../rules/notice-conditions.ts'
import { countLiveSessions, countUses } from '../../store/console-activity.ts'
import type { ProviderAdmin } from './providers.ts'

export async function overview(
  { store, readiness }: Pick<Context, 'store' | 'readiness'>,
  providers: Pick<ProviderAdmin, 'list' | 'conditions'>,
  since: Date,
  now: Date,
): Promise<AnswerOf<typeof readOverview>> {
  const live = await countLiveSessions(store.db, now)
  const uses = await countUses(store.db, since)
  const wellDone = (action: string) => uses.find((one) => one.action === action && one.ok)
  const failed = uses.filter(({ ok }) => !ok).reduce((sum, { count }) => sum + count, 0)
  return {
    sessions: {
      pending: live.get('pending') ?? 0,
      authorized: (live.get('authorized') ?? 0) + (live.get('reserved') ?? 0),
    },
    today: {
      authorizations: wellDone('authorize')?.count ?? 0,
      hashes: wellDone('sign')?.hashes ?? 0,
      failures: failed,
    },
    providers: (await providers.list()).map(({ id, serviceName, enabled, available, lastFailure }) => ({
      id,
      serviceName,
      enabled,
      available,
      lastFailure,
    })),
    notices: [...noticesOf([...(await readiness.verdict()).checks, ...noticeConditions(providers.conditions())])],
  }
}
