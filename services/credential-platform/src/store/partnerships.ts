import type { Db } from '@chancela/service-kernel/store'
import type { PartnershipStatus } from '../contract/vocabulary.ts'
import type { Tables } from './tables.ts'

const known = (db: Db<Tables>) =>
  db
    .selectFrom('partnership as p')
    .innerJoin('institute as i', 'i.id', 'p.issuer_institute_id')
    .innerJoin('institute as r', 'r.id', 'p.registrar_institute_id')
    .selectAll('p')
    .select(['i.name as issuer_name', 'i.code as issuer_code', 'r.name as registrar_name', 'r.code as registrar_code'])

export type KnownPartnership = Awaited<ReturnType<typeof findPartnership>> & object

const ofEither = <Query extends ReturnType<typeof known>>(query: Query, subscriptionId: string) =>
  query.where((row) =>
    row.or([
      row('p.issuer_subscription_id', '=', subscriptionId),
      row('p.registrar_subscription_id', '=', subscriptionId),
    ]),
  )

/** One of the organization's; that of two others does not exist. */
export const findPartnership = (db: Db<Tables>, subscriptionId: string, id: string) =>
  ofEither(known(db), subscriptionId).where('p.id', '=', id).executeTakeFirst()

/** The one of two institutions, in whatever state. */
export const partnershipOf = (db: Db<Tables>, issuerId: string, registrarId: string) =>
  known(db)
    .where('p.issuer_institute_id', '=', issuerId)
    .where('p.registrar_institute_id', '=', registrarId)
    .executeTakeFirst()

interface Asked {
  readonly subscriptionId: string
  readonly status: PartnershipStatus | undefined
  readonly limit: number
  readonly offset: number
}

export async function listPartnerships(db: Db<Tables>, { subscriptionId, status, limit, offset }: Asked) {
  const matching = ofEither(known(db), subscriptionId).$if(status !== undefined, (query) =>
    query.where('p.status', '=', status!),
  )
  const items = await matching.orderBy('p.id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await matching
    .clearSelect()
    .select((row) => row.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}
