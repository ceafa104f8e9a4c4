// Activity lists and counts of the console.
import type { Db } from '@chancela/service-kernel/store'
import type { SignatureState } from '../rules/signature-states.ts'
import type { Tables } from './tables.ts'

const alive = (db: Db<Tables>, now: Date) =>
  db.selectFrom('signing_session as s').where('s.ended_at', 'is', null).where('s.expires_at', '>', now.toISOString())

export interface SessionFilter {
  readonly cpf?: string
  /** Id of the last entry of the previous page; ids sort by creation. */
  readonly before?: string
  readonly limit: number
}

export type ListedSession = Awaited<ReturnType<typeof listLiveSessions>>[number]

/** Live sessions, newest first. */
export const listLiveSessions = (db: Db<Tables>, { cpf, before, limit }: SessionFilter, now: Date) =>
  alive(db, now)
    .innerJoin('certificate as c', 'c.id', 's.certificate_id')
    .leftJoin('workstation as w', 'w.id', 'c.workstation_id')
    .leftJoin('client_application as a', 'a.id', 's.application_id')
    .select([
      's.id',
      's.cpf',
      's.custody',
      's.created_at',
      's.expires_at',
      's.signatures',
      'c.subject_name',
      'w.name as workstation',
      'a.name as application',
    ])
    .$if(cpf !== undefined, (query) => query.where('s.cpf', '=', cpf!))
    .$if(before !== undefined, (query) => query.where('s.id', '<', before!))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()

export async function countLiveSessions(db: Db<Tables>, now: Date): Promise<number> {
  const { count } = await alive(db, now)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface SignatureFilter {
  readonly cpf?: string
  readonly state?: SignatureState
  /** What a client was given: the id of the document at the signature service, or that of the row. */
  readonly signatureId?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Id of the last entry of the previous page; ids sort by creation. */
  readonly before?: string
  readonly limit: number
}

export type ListedSignature = Awaited<ReturnType<typeof listLoggedSignatures>>[number]

/** The log of signatures, newest first. */
export const listLoggedSignatures = (
  db: Db<Tables>,
  { cpf, state, signatureId, from, to, before, limit }: SignatureFilter,
) =>
  db
    .selectFrom('signature as s')
    .leftJoin('client_application as a', 'a.id', 's.application_id')
    .selectAll('s')
    .select('a.name as application')
    .$if(cpf !== undefined, (query) => query.where('s.cpf', '=', cpf!))
    .$if(state !== undefined, (query) => query.where('s.state', '=', state!))
    .$if(signatureId !== undefined, (query) =>
      query.where((row) => row.or([row('s.document_id', '=', signatureId!), row('s.id', '=', signatureId!)])),
    )
    .$if(from !== undefined, (query) => query.where('s.started_at', '>=', from!.toISOString()))
    .$if(to !== undefined, (query) => query.where('s.started_at', '<', to!.toISOString()))
    .$if(before !== undefined, (query) => query.where('s.id', '<', before!))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()

/** Number of signatures in each state that began since a time. */
export async function countSignatures(db: Db<Tables>, since: Date): Promise<ReadonlyMap<SignatureState, number>> {
  const rows = await db
    .selectFrom('signature')
    .select(['state', (row) => row.fn.countAll<number>().as('count')])
    .where('started_at', '>=', since.toISOString())
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state, Number(count)]))
}
