// Certificates as the console lists and counts them.
import { containing, type Db } from '@chancela/service-kernel/store'
import { type RawBuilder, sql } from 'kysely'
import type { CertificateStatus, CustodyKind } from '../contract/common.ts'
import type { Tables } from './tables.ts'

/** The time of a status, and since when a certificate must have been found good to be ACTIVE then. */
export interface StatusTime {
  readonly now: Date
  readonly goodSince: Date
}

/** The status at a time, as `statusNow` of `rules/certificate-verdict.ts` computes it for a single row. */
const statusAt = ({ now, goodSince }: StatusTime): RawBuilder<CertificateStatus> =>
  sql<CertificateStatus>`case
    when c.status <> 'ACTIVE' then c.status
    when c.not_after < ${now.toISOString()} then 'EXPIRED'
    when c.good_at is null or c.good_at < ${goodSince.toISOString()} then 'STALE'
    else 'ACTIVE' end`

const held = (db: Db<Tables>, time: StatusTime) =>
  db
    .selectFrom('certificate as c')
    .leftJoin('workstation as w', 'w.id', 'c.workstation_id')
    .select([
      'c.id',
      'c.cpf',
      'c.custody',
      'c.workstation_id',
      'c.token',
      'w.name as workstation',
      'c.subject_name',
      'c.subject_cpf',
      'c.issuer',
      'c.serial_number',
      'c.fingerprint',
      'c.email',
      'c.not_before',
      'c.not_after',
      'c.status_reason',
      'c.status_finding',
      'c.checked_at',
      'c.created_at',
    ])
    .select([statusAt(time).as('status'), sql<number | boolean>`c.sealed_pin is not null`.as('has_pin')])
    .where('c.removed_at', 'is', null)

export type ListedCertificate = Awaited<ReturnType<typeof listHeld>>[number]

export interface CertificateFilter {
  readonly cpf?: string
  readonly status?: CertificateStatus
  readonly custody?: CustodyKind
  /** Part of the subject's name, as `subject_key` has it. */
  readonly nameKey?: string
  /** Expiry and id of the last entry of the previous page. */
  readonly after?: readonly [notAfter: string, id: string]
  readonly limit: number
}

/** Those that are held, soonest expiry first. */
export const listHeld = (
  db: Db<Tables>,
  { cpf, status, custody, nameKey, after, limit }: CertificateFilter,
  time: StatusTime,
) =>
  held(db, time)
    .$if(cpf !== undefined, (query) => query.where('c.cpf', '=', cpf!))
    .$if(status !== undefined, (query) => query.where(statusAt(time), '=', status!))
    .$if(custody !== undefined, (query) => query.where('c.custody', '=', custody!))
    .$if(nameKey !== undefined, (query) => query.where(containing('c.subject_key', nameKey!)))
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(c.not_after, c.id) > (${after![0]}, ${after![1]})`))
    .orderBy('c.not_after')
    .orderBy('c.id')
    .limit(limit)
    .execute()

export const findHeld = (db: Db<Tables>, id: string, time: StatusTime): Promise<ListedCertificate | undefined> =>
  held(db, time).where('c.id', '=', id).executeTakeFirst()

/** How many are held in each status. */
export async function countByStatus(db: Db<Tables>, time: StatusTime): Promise<ReadonlyMap<CertificateStatus, number>> {
  const rows = await db
    .selectFrom('certificate as c')
    .select([statusAt(time).as('status_now'), (row) => row.fn.countAll<number>().as('count')])
    .where('c.removed_at', 'is', null)
    .groupBy(sql.ref('status_now'))
    .execute()
  return new Map(rows.map(({ status_now, count }) => [status_now, Number(count)]))
}

/** Number of certificates that expire in a time range. */
export async function countExpiring(db: Db<Tables>, from: Date, to: Date): Promise<number> {
  const { count } = await db
    .selectFrom('certificate')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('removed_at', 'is', null)
    .where('not_after', '>=', from.toISOString())
    .where('not_after', '<', to.toISOString())
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whose certificates end in a time, soonest first; the list is for a mail. */
export const certificatesEnding = (db: Db<Tables>, from: Date, to: Date) =>
  db
    .selectFrom('certificate')
    .select(['subject_name as name', 'cpf'])
    .where('removed_at', 'is', null)
    .where('not_after', '>=', from.toISOString())
    .where('not_after', '<', to.toISOString())
    .orderBy('not_after')
    .orderBy('id')
    .limit(1000)
    .execute()
