import { type Db, isUniqueViolation, move, moving } from '@chancela/service-kernel/store'
import type { RegistrationStatus } from '../contract/vocabulary.ts'
import { emissionMoves, registrationMoves } from '../rules/moves.ts'
import { refuse } from '../rules/refuse.ts'
import type { EmissionRow, RegistrationRow } from './document-tables.ts'
import { addTerms } from './item-terms.ts'
import type { Tables } from './tables.ts'

/** A request of the organization; those of others do not exist. */
export const findRegistration = (
  db: Db<Tables>,
  subscriptionId: string,
  id: string,
): Promise<RegistrationRow | undefined> =>
  db
    .selectFrom('registration')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

export const findEmission = (db: Db<Tables>, subscriptionId: string, id: string): Promise<EmissionRow | undefined> =>
  db
    .selectFrom('emission')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

/** One request is open, or was granted, for an academic documentation. */
export async function insertRegistration(db: Db<Tables>, row: RegistrationRow): Promise<void> {
  try {
    await db.insertInto('registration').values(row).execute()
  } catch (error) {
    throw isUniqueViolation(error)
      ? refuse('already-exists', { fields: { file: ['is the documentation of another request'] } }, error)
      : error
  }
  await addTerms(db, 'registration', [row])
}

export type RegistrationMove = keyof typeof registrationMoves

type RegistrationChange = Partial<Omit<RegistrationRow, 'id' | 'status'>>

export async function moveRegistration(
  db: Db<Tables>,
  id: string,
  name: RegistrationMove,
  set: RegistrationChange,
  now: Date,
): Promise<RegistrationRow | undefined> {
  const request = { table: 'registration', column: 'status', moves: registrationMoves, move: name, id } as const
  return move(db, { ...request, set: { ...set, updated_at: now.toISOString() } })
}

type EmissionChange = Partial<Omit<EmissionRow, 'id' | 'status' | 'registration_status'>>

/** The mirror of a request on the issuer's emission, which follows its newest request alone. */
export async function mirrorOnEmission(
  db: Db<Tables>,
  { id, emission_id }: Pick<RegistrationRow, 'id' | 'emission_id'>,
  name: RegistrationMove,
  set: EmissionChange,
  now: Date,
): Promise<EmissionRow | undefined> {
  if (emission_id === null) return undefined
  const request = { table: 'emission', column: 'registration_status', moves: registrationMoves, move: name } as const
  return moving(db, { ...request, set: { ...set, updated_at: now.toISOString() } })
    .where('id', '=', emission_id)
    .where('registration_id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function moveEmission(
  db: Db<Tables>,
  id: string,
  name: keyof typeof emissionMoves,
  set: EmissionChange & { readonly registration_status?: RegistrationStatus },
  now: Date,
): Promise<EmissionRow | undefined> {
  const request = { table: 'emission', column: 'status', moves: emissionMoves, move: name, id } as const
  return move(db, { ...request, set: { ...set, updated_at: now.toISOString() } })
}

/** An active partnership of a registrar with an issuer of this CNPJ. */
export const activePartnership = (db: Db<Tables>, registrarId: string, issuer: { cnpj: string; id?: string }) =>
  db
    .selectFrom('partnership as p')
    .innerJoin('institute as i', 'i.id', 'p.issuer_institute_id')
    .select(['p.id', 'p.issuer_subscription_id', 'p.issuer_institute_id'])
    .where('p.registrar_institute_id', '=', registrarId)
    .where('p.status', '=', 'Active')
    .where('i.cnpj', '=', issuer.cnpj)
    .$if(issuer.id !== undefined, (query) => query.where('i.id', '=', issuer.id!))
    .orderBy('p.id')
    .limit(1)
    .executeTakeFirst()
