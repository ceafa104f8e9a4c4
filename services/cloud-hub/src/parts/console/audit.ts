import { type Act, acting } from '@chancela/admin-console'
import type { EventType } from '../../contract/console-events.ts'

/** An entry of the event log. */
export const act: Act<EventType> = acting()
