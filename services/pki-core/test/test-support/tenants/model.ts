// What applications of two subscriptions may see and do, written down a second time and apart from the service: it shares
// no code with it, so that a mistake in the table of rights is a difference.

export type Role = 'Admin' | 'Manager' | 'Worker' | 'Monitor'
export type RootRole = 'Owner' | 'Contributor' | 'Reader'

/** An application; those that act are applications, too. */
export interface ModelApplication {
  readonly id: string
  readonly name: string
  /** The subscription it was made in; undefined for those that only have roles. */
  readonly home: number | undefined
  readonly roles: [Set<Role>, Set<Role>]
  root: Set<RootRole>
  isDeleted: boolean
  metadata: string
}

export interface ModelContext {
  readonly id: string
  readonly subscription: number
  isDeleted: boolean
}

export interface Actor {
  readonly application: ModelApplication
  readonly apiKey: string
}

/** One call: who, for which subscription. */
export interface Turn extends Actor {
  readonly subscription: number
  readonly what: string
}

export type Verdict = 'ok' | 'forbidden' | 'unknown'

export type Ability = 'work' | 'see' | 'manage' | 'look' | 'trust'

/** What somebody with a role is able to: work, see applications, manage them, look at contexts, change whom to trust. */
const abilitiesOf = (role: Role): readonly Ability[] => {
  if (role === 'Admin') return ['work', 'see', 'manage', 'look', 'trust']
  if (role === 'Manager') return ['work', 'see', 'manage', 'look']
  return role === 'Worker' ? ['work', 'look'] : ['see', 'look']
}

const inheritedOf = ({ root }: ModelApplication): Role[] => {
  const inherited: Role[] = []
  if (root.has('Owner')) inherited.push('Admin')
  if (root.has('Contributor')) inherited.push('Manager')
  if (root.has('Reader')) inherited.push('Monitor')
  return inherited
}

const abilities = (roles: Iterable<Role>): Set<Ability> => new Set([...roles].flatMap(abilitiesOf))

/** What an application is able to in a subscription. */
export const able = (who: ModelApplication, subscription: number): Set<Ability> =>
  abilities([...who.roles[subscription]!, ...inheritedOf(who)])

/** Whether an application is one of the subscription. */
export const isThere = ({ home, roles, isDeleted }: ModelApplication, subscription: number): boolean =>
  !isDeleted && (home === subscription || roles[subscription]!.size > 0)

/** Whether somebody has all that these roles give. */
export const mayGive = (who: ModelApplication, subscription: number, roles: Iterable<Role>): boolean => {
  const own = able(who, subscription)
  return [...abilities(roles)].every((ability) => own.has(ability))
}

/** Whether somebody has all that an application has. */
const isAtLeast = (who: ModelApplication, other: ModelApplication): boolean =>
  [0, 1].every((subscription) => mayGive(who, subscription, other.roles[subscription]!)) &&
  (other.root.size === 0 || who.root.has('Owner'))

/** Reading an application. */
export function readVerdict(who: ModelApplication, subscription: number, other: ModelApplication): Verdict {
  if (!able(who, subscription).has('see')) return 'forbidden'
  return isThere(other, subscription) ? 'ok' : 'unknown'
}

/** Acting on one: its keys, its metadata, its end. */
export function manageVerdict(who: ModelApplication, subscription: number, other: ModelApplication): Verdict {
  if (!able(who, subscription).has('manage')) return 'forbidden'
  if (!isThere(other, subscription)) return 'unknown'
  return isAtLeast(who, other) ? 'ok' : 'forbidden'
}

/** Other roles in a subscription: whoever has a role in the instance finds every application. */
export function rolesVerdict(
  who: ModelApplication,
  subscription: number,
  other: ModelApplication,
  roles: readonly Role[],
): Verdict {
  if (!able(who, subscription).has('manage')) return 'forbidden'
  if (who.root.size > 0 ? other.isDeleted : !isThere(other, subscription)) return 'unknown'
  return isAtLeast(who, other) && mayGive(who, subscription, roles) ? 'ok' : 'forbidden'
}

export function contextVerdict(
  who: ModelApplication,
  subscription: number,
  ability: 'look' | 'trust' | 'work',
  context: ModelContext,
): Verdict {
  if (!able(who, subscription).has(ability)) return 'forbidden'
  return context.subscription === subscription && !context.isDeleted ? 'ok' : 'unknown'
}
