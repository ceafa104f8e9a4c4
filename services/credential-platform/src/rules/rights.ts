// Who may do what: the roles of people and applications in a subscription (spec 3 B; credentials-platform facts 3).
import type { Role } from '../contract/vocabulary.ts'
import { refuse } from './refuse.ts'

const everybody: readonly Role[] = ['Administrador', 'Gerente']
const administrador: readonly Role[] = ['Administrador']

/** Everything that needs a right in a subscription, and who has it. */
export const operations = {
  'subscription.read': everybody,
  // Where data of students are sent to, and what opens the door there (spec 3 B).
  'webhooks.manage': administrador,
  // Where documents of students are sent to be signed, and with which key.
  'document-platform.manage': administrador,
  // Whoever tells of a document changes nothing by it.
  'document-platform.notify': everybody,
  'webhooks.resend': everybody,
  'users.read': everybody,
  'users.manage': administrador,
  'applications.manage': administrador,
  'institutes.read': everybody,
  'institutes.manage': administrador,
  'partnerships.read': everybody,
  'partnerships.manage': administrador,
  'courses.read': everybody,
  'courses.manage': everybody,
  'flows.read': everybody,
  'flows.manage': administrador,
  'templates.read': everybody,
  'templates.manage': everybody,
  'events.read': everybody,
  'documents.read': everybody,
  'documents.issue': everybody,
  // Whose key it is, the certificate says: the plan of the document names who may.
  'documents.sign': everybody,
  'documents.suspend': everybody,
  // What cannot be undone is not done by whoever does the daily work.
  'documents.annul': administrador,
  'registrations.read': everybody,
  'registrations.handle': everybody,
  'registrations.annul': administrador,
  'lists.read': everybody,
  'lists.manage': administrador,
  'restamps.read': everybody,
  'restamps.manage': administrador,
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Operation = keyof typeof operations

/** What the operator alone may, with a key that was made at the machine itself. */
export const systemOperations = ['subscriptions.manage', 'instance.monitor'] as const

export type SystemOperation = (typeof systemOperations)[number]

/** Whoever calls, in the subscription that the call is for. */
export interface Caller {
  readonly kind: 'user' | 'application' | 'system'
  /** Of the user, or of the application. */
  readonly id: string
  readonly name: string
  readonly subscriptionId: string
  readonly role: Role
  /** Of the client; absent where a worker goes on for whoever asked. */
  readonly address?: string
}

/** Whoever calls for the whole instance. */
export type SystemCaller = Pick<Caller, 'id' | 'name' | 'address'>

const mayDo = (role: Role, operation: Operation): boolean => (operations[operation] as readonly Role[]).includes(role)

/** A caller whom the role does not allow it is told so: 403, not 401. */
export function requireOperation({ role }: Pick<Caller, 'role'>, operation: Operation): void {
  if (!mayDo(role, operation)) throw refuse('forbidden', { operation })
}

/** What only a person does, in a browser of their own. */
export function requirePerson({ kind }: Caller): void {
  if (kind !== 'user') throw refuse('forbidden', { reason: 'Only a person who is signed in may.' })
}

/** The subscription in the path is the caller's own; of others nobody learns that they exist. */
export function requireOwn({ subscriptionId }: Caller, id: string): string {
  if (id.trim().toLowerCase() !== subscriptionId) throw refuse('subscription-not-found', { id })
  return subscriptionId
}
