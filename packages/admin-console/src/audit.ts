import type { EventActor, EventChanges, NewEvent } from '@chancela/service-kernel/events'
import type { ConsoleCaller } from './caller.ts'
import type { CommonEventType } from './contract/index.ts'

/** The actor where nobody signed in: an operator on the machine itself. */
export const OPERATOR = 'operator'

/** Builds the record of who did what, as the event log takes it. */
export type Act<Type extends string> = (
  type: Type,
  actor: EventActor,
  subject: readonly [kind: string, id: string],
  text: string,
  changes?: EventChanges,
) => NewEvent

/** Whoever is signed in, as events name them. */
export const actorOf = ({ email, address }: Pick<ConsoleCaller, 'email' | 'address'>): EventActor => ({
  name: email,
  address,
})

/** For the events of a service; the compiler checks that its contract has the type. */
export const acting =
  <Type extends string>(): Act<Type> =>
  (type, actor, [kind, id], text, changes) => ({ type, actor, subject: { kind, id }, text, changes })

/** For the events that every console records. */
export const act = acting<CommonEventType>()
