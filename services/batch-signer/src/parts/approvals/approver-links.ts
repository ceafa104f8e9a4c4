import { createHmac } from 'node:crypto'
import { sameSecret } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { approverKey } from '../../rules/approval-rule.ts'
import { readProfiles } from '../../store/profiles.ts'
import type { Tables } from '../../store/tables.ts'

/** Somebody of the pools as they are now; once, however many profiles name them. */
export interface PooledApprover {
  /** As `approverKey`. */
  readonly key: string
  readonly name: string
  readonly email: string
  readonly profiles: readonly string[]
}

/** Everybody of the pools of all profiles, disabled ones too: read anew, so that a removal counts at once everywhere. */
export async function pooledApprovers(db: Db<Tables>): Promise<readonly PooledApprover[]> {
  const found = new Map<string, PooledApprover>()
  for (const { profile } of await readProfiles(db))
    for (const { name, email } of profile.approval?.approvers ?? []) {
      const key = approverKey(email)
      const known = found.get(key) ?? { key, name, email, profiles: [] }
      found.set(key, { ...known, profiles: [...known.profiles, profile.name] })
    }
  return [...found.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** The token of somebody's link; it follows from the address, so that nothing is stored. */
export const linkToken = (secret: string, email: string): string =>
  createHmac('sha256', secret).update(approverKey(email)).digest('base64url')

/** Whom a token names. It is compared with every one, so that the time does not tell whose it resembles. */
export const approverOfToken = (
  secret: string,
  approvers: readonly PooledApprover[],
  token: string,
): PooledApprover | undefined => approvers.filter(({ key }) => sameSecret(linkToken(secret, key), token))[0]

/** A portal that nobody can enter is probably a mistake, and no reason not to start. */
export async function warnOfEmptyPools({ settings, store, logger }: Pick<Context, 'settings' | 'store' | 'logger'>) {
  if (settings.ApproverPortal.Enabled && (await pooledApprovers(store.db)).length === 0)
    logger.warn('ApproverPortal:Enabled is set, and no profile asks for approval')
}
