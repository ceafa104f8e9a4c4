import type { Context } from '../../context.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'

/** A time range as requests send it. */
export interface GivenTime {
  readonly startDateUtc: string
  readonly endDateUtc: string
}

/** The time range in the form rows are compared with. */
export function readTime({ startDateUtc, endDateUtc }: GivenTime): { readonly from: string; readonly to: string } {
  const [from, to] = [new Date(startDateUtc), new Date(endDateUtc)]
  if (Number.isNaN(from.getTime())) throw refuse('InvalidRequest', { startDateUtc: 'is no date' })
  if (Number.isNaN(to.getTime())) throw refuse('InvalidRequest', { endDateUtc: 'is no date' })
  return { from: from.toISOString(), to: to.toISOString() }
}

/** Number of documents the organization created in a time range; envelopes are counted separately. */
export async function countCreated({ store }: Pick<Context, 'store'>, { organizationId }: Caller, time: GivenTime) {
  const { from, to } = readTime(time)
  const counts = await store.db
    .selectFrom('document')
    .select(['is_envelope', ({ fn }) => fn.countAll<number | string>().as('total')])
    .where('organization_id', '=', organizationId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .groupBy('is_envelope')
    .execute()
  const totalOf = (isEnvelope: number) =>
    Number(counts.find(({ is_envelope }) => is_envelope === isEnvelope)?.total ?? 0)
  return { totalDocuments: totalOf(0), totalEnvelopes: totalOf(1) }
}
