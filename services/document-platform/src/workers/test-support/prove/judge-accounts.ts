import type { ReceivedMail } from '@chancela/testkit/mail'
import type { Account, AccountDeeds } from './account-deeds.ts'
import type { AccountsClient, TheirEntry, TheirUser } from './accounts-client.ts'
import type { TheirDocument } from './platform-client.ts'

interface Found {
  readonly users: readonly TheirUser[]
  readonly entries: readonly TheirEntry[]
  readonly inbox: readonly ReceivedMail[]
}

/** Compares what was done to accounts with the users, their mails and the audit. */
export async function judgeAccounts(
  client: AccountsClient,
  { accounts, violations, chainsFollowed }: AccountDeeds,
  documents: readonly TheirDocument[],
  inbox: readonly ReceivedMail[],
) {
  const found: Found = { users: await client.users(), entries: await client.entries(), inbox }
  return {
    violations: [
      ...violations,
      ...accounts.flatMap((account) => judgeAccount(account, found)),
      ...(await judgeChain(client, found)),
      ...judgeDeletions(documents, found),
    ],
    accounts: found.users.length,
    passwordChanges: accounts.reduce((sum, { changes }) => sum + changes, 0),
    auditEntries: found.entries.length,
    chainsFollowed,
  }
}

/** Names what is not as it has to be. */
const differing = (who: string, facts: Readonly<Record<string, readonly [number, number]>>): readonly string[] =>
  Object.entries(facts).flatMap(([what, [is, has]]) =>
    is === has ? [] : [`${who} has ${is} ${what} instead of ${has}`],
  )

/** User, mail and entries are there together or not at all, and each once. */
function judgeAccount(account: Account, { users, entries, inbox }: Found): readonly string[] {
  const { email, confirmed, changes } = account
  const [user, ...others] = users.filter((one) => one.email === email)
  if (!user && confirmed.invited) return [`${email} was invited and is no user`]
  const told = (kind: string) =>
    entries.filter((one) => one.kind === kind && (one.after?.email === email || (user && one.subject?.id === user.id)))
  const mails = new Set(
    inbox.filter(({ to }) => to.some(({ address }) => address === email)).map((one) => one.messageId),
  )
  const signIns = told('SignedIn').length
  return [
    ...(others.length > 0 ? [`${email} is ${1 + others.length} users`] : []),
    ...(confirmed.accepted && !user?.hasAccount ? [`${email} accepted and cannot sign in`] : []),
    ...(signIns < confirmed.signIns
      ? [`${email} signed in ${confirmed.signIns} times, the audit tells ${signIns}`]
      : []),
    ...differing(email, {
      'entries of being added': [told('UserAdded').length, user ? 1 : 0],
      'mails with an invitation': [mails.size, told('InvitationSent').length],
      'entries of accepting': [told('InvitationAccepted').length, user?.hasAccount ? 1 : 0],
      'entries of another password': [told('PasswordChanged').length, changes],
    }),
  ]
}

/** No entry is missing, none was changed: by the service's own verdict, and by their numbers. */
async function judgeChain(client: AccountsClient, { entries }: Found): Promise<readonly string[]> {
  const { isIntact, brokenAt } = await client.verdict()
  const numbers = entries.map(({ number }) => number).toReversed()
  return [
    ...(isIntact ? [] : [`the audit is broken at ${brokenAt}`]),
    ...(numbers.every((number, at) => number === at + 1) ? [] : ['the audit leaves numbers out']),
  ]
}

function judgeDeletions(documents: readonly TheirDocument[], { entries }: Found): readonly string[] {
  const deletions = entries.filter(({ kind }) => kind === 'DocumentDeleted').map(({ subject }) => subject!.id)
  return documents.flatMap(({ id, isDeleted }) =>
    differing(id, { 'entries of its deletion': [deletions.filter((one) => one === id).length, isDeleted ? 1 : 0] }),
  )
}
