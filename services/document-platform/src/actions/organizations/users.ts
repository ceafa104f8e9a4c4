import { changesOf } from '@chancela/service-kernel/events'
// Everybody who signs in at the instance, as its administration sees them.
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { listUsers, updateUser as updateRoute } from '../../contract/organizations.ts'
import type { Caller } from '../../rules/caller.ts'
import { isEmail } from '../../rules/flow-plan.ts'
import { pageOf, textOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import { endSessionsOf } from '../../store/account-sessions.ts'
import { changeAccount, findAccount } from '../../store/accounts.ts'
import { countAccounts, listAccounts } from '../../store/member-reads.ts'
import type { AccountRow } from '../../store/tables.ts'

export async function listedAccounts({ store: { db } }: Context, query: Static<typeof listUsers.query>) {
  const text = textOf(query)
  const items = await listAccounts(db, text, pageOf(query))
  return { items: items.map(accountView), totalCount: await countAccounts(db, text), nextCursor: null }
}

/** Changes the fields of the request; a new password ends the user's sessions. */
export async function updateUser(
  { store, passwords, audit }: Context,
  caller: Caller,
  subject: string,
  { name, email, phone, password }: Static<typeof updateRoute.body>,
  now: Date,
) {
  const id = subject.toLowerCase()
  if (email && !isEmail(email.trim().toLowerCase())) throw refuse('InvalidRequest', { email: 'is no e-mail address' })
  const known = await findAccount(store.db, id)
  if (!known) throw refuse('UserNotFound', { id: subject })
  const about = [name ?? known.name, email ?? known.email]
  const changes = {
    ...(name?.trim() && { name: name.trim() }),
    ...(email && { email: email.trim().toLowerCase() }),
    ...(phone !== undefined && { phone: phone?.trim() || null }),
    ...(password && { password_hash: await passwords.hashNew(password, about, caller) }),
  }
  return store.transaction(async (tx) => {
    const found = await findAccount(tx, id)
    if (!found) throw refuse('UserNotFound', { id: subject })
    await changeAccount(tx, id, changes, now)
    if (password) await endSessionsOf(tx, id, {}, now)
    const differing = changesOf(auditedOf(found), auditedOf({ ...found, ...changes }))
    if (differing) await audit.recordAccount(tx, found, { kind: 'AccountChanged', actor: caller, ...differing }, now)
    return accountView({ ...found, ...changes })
  })
}

/** What the audit tells of an account: of the password, that it is another. */
const auditedOf = ({ name, email, phone, password_hash }: AccountRow) => ({
  name,
  email,
  phone,
  password: password_hash,
})

const accountView = ({ id, name, email, phone, created_at }: AccountRow) => ({
  id,
  name,
  identifier: null,
  email,
  phone,
  creationDate: created_at,
})
