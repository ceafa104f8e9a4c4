// What two organizations, their users and applications may see and do, written down a second time and apart from the
// service: it shares no code with it, so that a mistake in the table of rights is a difference.

export type Kind = 'administrator' | 'manager' | 'operator' | 'basic' | 'application' | 'folderApplication'

export interface Actor {
  readonly name: string
  readonly organization: number
  readonly kind: Kind
  /** Of a user, in the organization. */
  readonly userId?: string
  /** Of an application that is restricted to one. */
  readonly folderId?: string
}

export interface ModelDocument {
  readonly id: string
  readonly organization: number
  readonly createdBy: Actor
  folderId: string | null
  /** Users of the organization who take part or observe. */
  readonly involved: Set<string>
  status: 'Pending' | 'Canceled' | 'Refused'
  isDeleted: boolean
  /** Names of the participants, as the organization wrote them. */
  readonly participants: string[]
}

export type Verdict = 'ok' | 'forbidden' | 'unknown'

const isUser = ({ kind }: Actor): boolean => kind !== 'application' && kind !== 'folderApplication'

/** Whether an actor learns that a document exists. */
export function sees(actor: Actor, document: ModelDocument): boolean {
  if (actor.organization !== document.organization) return false
  switch (actor.kind) {
    case 'administrator':
    case 'manager':
    case 'application':
      return true
    case 'folderApplication':
      return document.folderId === actor.folderId
    default:
      return document.createdBy.userId === actor.userId || document.involved.has(actor.userId!)
  }
}

/** Whether an actor may cancel, refuse, delete, move or edit a document it sees. */
const mayChange = (actor: Actor, document: ModelDocument): boolean =>
  actor.kind === 'operator'
    ? isUser(document.createdBy) && document.createdBy.userId === actor.userId
    : actor.kind !== 'basic'

const mayActFor = ({ kind }: Actor): boolean =>
  kind === 'administrator' || kind === 'application' || kind === 'folderApplication'

/** A right that a role lacks altogether is refused before the document is looked for. */
export const readVerdict = (actor: Actor, document: ModelDocument): Verdict =>
  sees(actor, document) ? 'ok' : 'unknown'

export function changeVerdict(actor: Actor, document: ModelDocument): Verdict {
  if (actor.kind === 'basic') return 'forbidden'
  if (!sees(actor, document) || document.isDeleted)
    return document.isDeleted ? deletedVerdict(actor, document) : 'unknown'
  return mayChange(actor, document) ? 'ok' : 'forbidden'
}

/** A deleted document is unknown to whoever might have changed it, and forbidden to whoever might not. */
const deletedVerdict = (actor: Actor, document: ModelDocument): Verdict =>
  sees(actor, document) && !mayChange(actor, document) ? 'forbidden' : 'unknown'

export function actForVerdict(actor: Actor, document: ModelDocument): Verdict {
  if (!mayActFor(actor)) return 'forbidden'
  return sees(actor, document) && !document.isDeleted ? 'ok' : 'unknown'
}

export const mayCreate = ({ kind }: Actor): boolean => kind !== 'basic'
export const mayListUsers = ({ kind }: Actor): boolean =>
  kind === 'administrator' || kind === 'manager' || kind === 'application'
export const mayAdminister = ({ kind }: Actor): boolean => kind === 'administrator' || kind === 'application'
export const mayReadFlows = ({ kind }: Actor): boolean => kind !== 'basic'
