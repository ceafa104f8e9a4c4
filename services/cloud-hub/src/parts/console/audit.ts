import { type Act, acting } from '@chancela/admin-console'
import type { EventType } from '../../contract/console-events.ts'

/** What happened to whom, as the log of events takes it. */
export const act: Act<EventType> = acting()
