import type { Call } from '@chancela/service-kernel/http'
import type { Outcome } from '../actions/items/two-people.ts'

/** 202 says that nothing is done before another person asks for the same. */
export function answered<Model>(reply: Call['reply'], { model, isProposed }: Outcome<Model>): Model {
  if (isProposed) reply.code(202)
  return model
}
