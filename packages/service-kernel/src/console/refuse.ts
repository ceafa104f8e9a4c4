import { commonConsoleErrors } from '../contract/index.ts'
import { refuser } from '../errors/index.ts'

/** Refuses a call with a code that every console has. */
export const refuse = refuser(commonConsoleErrors)
