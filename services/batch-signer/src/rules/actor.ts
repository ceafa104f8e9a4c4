import { said, telling } from './sentences.ts'

/** Who did something: a part of the service, or whoever called, with the address of the client. */
export type Actor = string | NamedActor

export interface NamedActor {
  readonly name: string
  readonly address: string
}

/** How sentences name whoever acts. */
export const nameOf = (actor: Actor): string => (typeof actor === 'string' ? actor : actor.name)

/** The event of an operator who signed in. */
export const signedInAs = (name: string, address: string) => ({
  type: 'OperatorSignedIn',
  actor: { name, address },
  subject: { kind: 'operator', id: name },
  ...telling(said('operator-signed-in', { who: name })),
})
