import { refuser } from '@chancela/service-kernel/errors'
import { commonConsoleErrors } from './contract/index.ts'

/** Refuses a call with a code that every console has. */
export const refuse = refuser(commonConsoleErrors)
