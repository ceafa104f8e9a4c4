// The role that the identity provider gives.
import { type ConsoleRole, consoleRoles } from './contract/index.ts'
import type { Claims } from './identity-provider.ts'

/** The role of whoever has these claims; undefined for a role that opens nothing here. */
export function claimedRole(claims: Claims, claim: string | undefined): ConsoleRole | undefined {
  if (claim === undefined) return 'administrator'
  const named = [claimAt(claims, claim)].flat().map((role) => (typeof role === 'string' ? role.toLowerCase() : role))
  return consoleRoles.find((role) => named.includes(role))
}

/** Whether the claims say anything of a role, or nobody asks. */
export const namesRole = (claims: Claims, claim: string | undefined): boolean =>
  claim === undefined || claimAt(claims, claim) !== undefined

/** Some providers nest their roles (`realm_access.roles`), others name them by an address, which has dots as well. */
const claimAt = (claims: Claims, name: string): unknown =>
  claims[name] ?? name.split('.').reduce<unknown>((value, part) => (value as Claims | undefined)?.[part], claims)
