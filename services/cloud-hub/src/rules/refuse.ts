import { refuser } from '@chancela/service-kernel/errors'
import { consoleErrors } from '../contract/console-errors.ts'
import { errors } from '../contract/errors.ts'

/** Refuses a call of the contract with a code of its vocabulary. */
export const refuse = refuser(errors)

/** Refuses a call of the admin page. */
export const refuseAtConsole = refuser(consoleErrors)
