import { withoutUnseen } from '@chancela/service-kernel/text'
import { approverKey } from './approval-rule.ts'

/** Roles that an identity provider gives; any other is ignored. */
const idpRoles = ['Administrator', 'Approver'] as const

type IdpRole = (typeof idpRoles)[number]

/** Somebody who signed in at the identity provider. */
export interface IdpPerson {
  /** The actor in events. */
  readonly name: string
  /** At least one. */
  readonly roles: readonly IdpRole[]
  /** Of an approver, as pools compare addresses; otherwise null. */
  readonly email: string | null
}

/** Why somebody whom the provider knows gets no session. */
type IdpRefusal = 'no role' | 'approver without e-mail' | 'approver whose e-mail is not verified'

type Claims = Readonly<Record<string, unknown>>

/** Whom the claims describe, or why they open nothing (batch-signer facts 5.6). */
export function idpPerson(claims: Claims, rolesClaim: string): IdpPerson | IdpRefusal {
  const given = rolesIn(claims, rolesClaim)
  const lack = given.includes('Approver') ? addressLack(claims) : undefined
  const roles = idpRoles.filter((role) => given.includes(role) && (role !== 'Approver' || lack === undefined))
  if (roles.length === 0) return lack ?? 'no role'
  return { name: nameIn(claims), roles, email: roles.includes('Approver') ? approverKey(String(claims.email)) : null }
}

/** Whether nothing is left to ask the provider for. */
export const isWholePerson = (claims: Claims, rolesClaim: string): boolean =>
  [claimAt(claims, rolesClaim), claims.email, claims.preferred_username].every((value) => value !== undefined)

export const isOperator = ({ roles }: Pick<IdpPerson, 'roles'>): boolean => roles.includes('Administrator')

/** Where approvers have something to see; every other page is for operators. */
const approverPages = ['/approvals', '/approve/']

/** The first page after a sign-in. An approver who was given an operator's link to a job sees its record. */
export function landingPage(person: Pick<IdpPerson, 'roles'>, returnUrl: string): string {
  if (isOperator(person)) return returnUrl
  const page = returnUrl.replace(/^\/jobs\/(?=.)/, '/approve/')
  return approverPages.some((start) => page.startsWith(start)) ? page : '/approvals'
}

/** One role as a text, several as a list. */
function rolesIn(claims: Claims, rolesClaim: string): readonly unknown[] {
  const value = claimAt(claims, rolesClaim)
  return Array.isArray(value) ? value : [value]
}

/** Some providers nest their roles (`realm_access.roles`), others name them by an address, which has dots as well. */
const claimAt = (claims: Claims, name: string): unknown =>
  claims[name] ?? name.split('.').reduce<unknown>((value, part) => (value as Claims | undefined)?.[part], claims)

/** No other claim stands for the address. Providers that verify all of them do not say so with each. */
function addressLack({ email, email_verified: isVerified = true }: Claims): IdpRefusal | undefined {
  if (typeof email !== 'string' || email.trim() === '') return 'approver without e-mail'
  return isVerified === true || isVerified === 'true' ? undefined : 'approver whose e-mail is not verified'
}

/** Whom the provider calls nothing. */
export const NAMELESS = '(anonymous)'

const LONGEST_NAME = 200

/** The name is stored in events and in the cookie. */
function nameIn({ preferred_username: name }: Claims): string {
  const text = typeof name === 'string' ? withoutUnseen(name).trim().slice(0, LONGEST_NAME) : ''
  return text || NAMELESS
}
