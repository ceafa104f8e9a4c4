import type { NewEvent } from '@chancela/service-kernel/events'
import type { CommonEventType } from './contract/index.ts'

/** Who acts where nobody signed in: somebody at the machine itself. */
export const OPERATOR = 'operator'

/** Tells what happened to whom, as the log of events takes it. */
export type Act<Type extends string> = (
  type: Type,
  actor: string,
  subject: readonly [kind: string, id: string],
  text: string,
) => NewEvent

/** For the events of a service; the compiler checks that its contract knows the type. */
export const acting =
  <Type extends string>(): Act<Type> =>
  (type, actor, [kind, id], text) => ({ type, actor, subject: { kind, id }, text })

/** For the events that every console records. */
export const act = acting<CommonEventType>()
