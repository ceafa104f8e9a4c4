import type { ConsoleApp as CommonConsoleApp } from '@chancela/admin-console'
import type { ConsoleErrorCode } from '../../contract/console-errors.ts'
import type { HubRight } from '../../contract/console-rights.ts'

/** The app of the admin page: who is signed in, and among them who may administer. */
export type ConsoleApp = CommonConsoleApp<ConsoleErrorCode, HubRight>
