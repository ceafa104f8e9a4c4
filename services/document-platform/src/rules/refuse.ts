import { refuser } from '@chancela/service-kernel/errors'
import { errors } from '../contract/errors.ts'

/** Creates the error for a code of the vocabulary. */
export const refuse = refuser(errors)
