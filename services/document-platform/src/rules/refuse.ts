import { refuser } from '@chancela/service-kernel/errors'
import { errors } from '../contract/errors.ts'

/** Refuses a call with a code of the vocabulary. */
export const refuse = refuser(errors)
