import { refuser } from '@chancela/service-kernel/errors'
import { errors } from '../contract/errors.ts'

/** Refuses a call with a code of the contract. */
export const refuse = refuser(errors)
