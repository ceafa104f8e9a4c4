import type { CommandContext } from '../command-context.ts'
import type { Outcome } from './each-file.ts'
import { exitCodes, leaveWith } from './exit-codes.ts'
import { DASH } from './standard-streams.ts'

/** What a command reports of each file it writes. */
export interface Produced {
  readonly output: string
  readonly [fact: string]: string
}

/** Prints the outputs and the number of failures; throws the exit code unless all succeeded. */
export function logProduced(
  { print, log }: CommandContext,
  outcomes: readonly Outcome<Produced>[],
  { json, done }: { json: boolean | undefined; done: string },
): void {
  const failed = outcomes.filter((outcome) => 'problem' in outcome).length
  // Standard output has the result itself then.
  const isPiped = outcomes.some((outcome) => 'result' in outcome && outcome.result.output === DASH)
  const say = isPiped ? log : print
  if (json) say(JSON.stringify(outcomes.map(plain), null, 2))
  else if (!isPiped) for (const outcome of outcomes) if ('result' in outcome) print(outcome.result.output)
  if (outcomes.length !== 1) log(`${outcomes.length - failed} ${done}, ${failed} failed.`)
  leaveWith(failed > 0 ? exitCodes.failed : exitCodes.done)
}

const plain = (outcome: Outcome<Produced>) =>
  'result' in outcome
    ? { input: outcome.input.path, ...outcome.result }
    : { input: outcome.input.path, error: outcome.problem }
