import type { NewEvent } from '@chancela/service-kernel/events'
import type { EventType } from '../contract/console-events.ts'

/** Who acts where nobody signed in: somebody at the machine itself. */
export const OPERATOR = 'operator'

/** What happened to whom, as the log of events takes it; the compiler checks that the contract knows the type. */
export const act = (
  type: EventType,
  actor: string,
  [kind, id]: readonly [kind: string, id: string],
  text: string,
): NewEvent => ({ type, actor, subject: { kind, id }, text })
