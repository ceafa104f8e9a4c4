import type { NewEvent } from '@chancela/service-kernel/events'
import type { CommonEventType } from './contract/index.ts'

/** The actor where nobody signed in: an operator on the machine itself. */
export const OPERATOR = 'operator'

/** Builds the record of who did what, as the event log takes it. */
export type Act<Type extends string> = (
  type: Type,
  actor: string,
  subject: readonly [kind: string, id: string],
  text: string,
) => NewEvent

/** For the events of a service; the compiler checks that its contract has the type. */
export const acting =
  <Type extends string>(): Act<Type> =>
  (type, actor, [kind, id], text) => ({ type, actor, subject: { kind, id }, text })

/** For the events that every console records. */
export const act = acting<CommonEventType>()
