// What callers of two organizations may see and do, written down a second time and apart from the service: it shares no
// code with it, so that a mistake in the table of rights is a difference.

export type Role = 'Administrador' | 'Gerente'
/** `conflict`: the state does not allow it. */
export type Verdict = 'ok' | 'forbidden' | 'unknown' | 'conflict'

/** Somebody who calls: a role in each organization, or none. The operator is in both as whoever decides. */
export interface Actor {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly roles: readonly [Role | undefined, Role | undefined]
}

export type Plural = 'institutes' | 'courses' | 'flows' | 'templates'

/** Something that an organization set up. */
export interface Thing {
  readonly id: string
  readonly plural: Plural
  readonly place: number
  name: string
  isDeleted: boolean
  /** Courses and the like hang on it. */
  readonly instituteId?: string
}

/** What only whoever decides may change. */
const decided: readonly Plural[] = ['institutes', 'flows']

export const roleAt = ({ roles }: Actor, place: number): Role | undefined => roles[place]

export function changeVerdict(actor: Actor, place: number, plural: Plural): Verdict {
  const role = roleAt(actor, place)
  if (role === undefined) return 'forbidden'
  return role === 'Gerente' && decided.includes(plural) ? 'forbidden' : 'ok'
}

export const readVerdict = (actor: Actor, place: number): Verdict =>
  roleAt(actor, place) === undefined ? 'forbidden' : 'ok'

/** Webhooks, users and applications: whoever decides, and nobody else. */
export const decideVerdict = (actor: Actor, place: number): Verdict =>
  roleAt(actor, place) === 'Administrador' ? 'ok' : 'forbidden'

/** What is of the other organization, or was deleted, is not there; but who may not ask is told that first. */
export const withThing = (verdict: Verdict, place: number, thing: Thing): Verdict =>
  verdict === 'ok' && (thing.place !== place || thing.isDeleted) ? 'unknown' : verdict
