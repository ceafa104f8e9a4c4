import type { Db } from '@chancela/service-kernel/store'
import type { Role } from '../contract/vocabulary.ts'
import type { Tables } from './tables.ts'

/** A user, with the CPF as which they sign. */
export interface SigningPerson {
  readonly id: string
  readonly name: string
  readonly subscriptionId: string
  readonly role: Role
  readonly cpf: string | null
}

/** Undefined where the user is gone, or the organization is disabled. */
export async function findSigner(db: Db<Tables>, userId: string): Promise<SigningPerson | undefined> {
  const found = await db
    .selectFrom('membership as m')
    .innerJoin('subscription as s', 's.id', 'm.subscription_id')
    .leftJoin('user_signer as u', 'u.user_id', 'm.id')
    .select(['m.id', 'm.name', 'm.role', 'm.subscription_id', 'u.cpf'])
    .where('m.id', '=', userId)
    .where('s.disabled_at', 'is', null)
    .executeTakeFirst()
  return found && { ...found, subscriptionId: found.subscription_id }
}

export async function writeSigner(db: Db<Tables>, userId: string, cpf: string, now: Date): Promise<void> {
  const set = { cpf, updated_at: now.toISOString() }
  await db
    .insertInto('user_signer')
    .values({ user_id: userId, ...set })
    .onConflict((on) => on.column('user_id').doUpdateSet(set))
    .execute()
}
