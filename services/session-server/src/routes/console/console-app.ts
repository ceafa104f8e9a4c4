import type { ConsoleApp as CommonConsoleApp } from '@chancela/admin-console'
import type { ConsoleErrorCode } from '../../contract/console-errors.ts'
import type { SessionServerRight } from '../../contract/console-rights.ts'

/** The app of the console: who is signed in, and among them who may administer. */
export type ConsoleApp = CommonConsoleApp<ConsoleErrorCode, SessionServerRight>
