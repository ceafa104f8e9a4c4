import { type FieldErrors, type Refusal, refuser } from '@chancela/service-kernel/errors'
import { errors } from '../contract/errors.ts'

/** Refuses a call with a code of the contract. */
export const refuse = refuser(errors)

/** Refuses data whose form is right and whose meaning is not, each field by its name. */
export const wrongData = (fields: FieldErrors): Refusal => refuse('invalid-data', { fields })
