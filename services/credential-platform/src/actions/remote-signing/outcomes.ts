import { Refusal } from '@chancela/service-kernel/errors'
import { cloudEndOf, LinkProblem } from '@chancela/service-links'
import type { Context } from '../../context.ts'
import type { SigningOutcome, SigningWay } from '../../contract/remote-signing.ts'
import { documentOutcome } from '../../rules/signing-outcomes.ts'

const ends: Readonly<Record<SigningWay, (problem: LinkProblem) => SigningOutcome>> = {
  cloud: cloudEndOf,
  token: () => 'unavailable',
}

const outcomeOf = (way: SigningWay, error: unknown): SigningOutcome => {
  if (error instanceof LinkProblem) return ends[way](error)
  return error instanceof Refusal ? documentOutcome(error) : 'failed'
}

const ofOperator: ReadonlySet<SigningOutcome> = new Set(['failed', 'provider-failed', 'unavailable'])

/** The outcome of a failure; failures only an operator can fix are logged. */
export function told(
  { logger }: Pick<Context, 'logger'>,
  { id, way }: { readonly id: string; readonly way: SigningWay },
  error: unknown,
): SigningOutcome {
  const outcome = outcomeOf(way, error)
  if (ofOperator.has(outcome)) logger.error({ err: error, signing: id, way }, 'signing with a key elsewhere failed')
  return outcome
}
