import type { Account, Credential } from '../accounts.ts'
import type { Context } from '../provider-context.ts'

/** The provider's name of a certificate on the wire. */
export function aliasOf({ quirks }: Context, account: Account, credential: Credential): string {
  if (quirks.aliasStyle === 'label') return credential.alias
  const place = account.credentials.indexOf(credential)
  return `${account.name.toUpperCase()}:${account.identifier}${place > 0 ? `:${place + 1}` : ''}`
}

export const credentialOf = (context: Context, account: Account, alias: string): Credential | undefined =>
  account.credentials.find((credential) => aliasOf(context, account, credential) === alias)
