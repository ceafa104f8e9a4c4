// Applications as administrators see them: of every subscription, and whether they are disabled.
import type { Static } from 'typebox'
import type { consoleApplications } from '../../contract/console-management.ts'
import { type findApplication, listKnownApplications } from '../../store/applications.ts'
import { standingsOf } from '../../store/subscriptions.ts'
import type { Management } from './acting.ts'
import { applicationView, requiredApplication } from './applications.ts'
import { listAsked } from './list-asked.ts'

export async function consoleListed(
  { context: { store } }: Management,
  query: Static<typeof consoleApplications.query>,
) {
  const asked = { ...listAsked(query), subscriptionId: query.subscriptionId ?? undefined }
  const { items, totalCount } = await listKnownApplications(store.db, asked)
  return { items: await views(store, items), totalCount }
}

export async function consoleOne({ context: { store } }: Management, id: string) {
  const [view] = await views(store, [await requiredApplication(store.db, undefined, id)])
  return view!
}

type Known = NonNullable<Awaited<ReturnType<typeof findApplication>>>

async function views({ db }: Management['context']['store'], applications: readonly Known[]) {
  const standings = await standingsOf(
    db,
    applications.map(({ id }) => id),
  )
  return applications.map((one) => ({
    ...applicationView(one, standings.get(one.id)!, { subscriptions: [], rootRoles: ['Owner'] }, undefined),
    disabled: one.disabled_at !== null,
    dateCreated: one.created_at,
  }))
}
