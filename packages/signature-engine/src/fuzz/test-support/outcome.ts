import { EngineError } from '../../errors/engine-error.ts'
import type { FuzzCase } from './fuzz-case.ts'
import { type Kind, kinds } from './kinds.ts'
import type { Judges } from './readers/reader.ts'

/** The outcome of one case; a problem is a broken guarantee of the engine. */
export interface Outcome {
  readonly result: 'value' | 'valid' | 'refused' | 'problem'
  readonly problem?: string
}

/** Feeds the case to every reader of its kind and checks the engine's guarantees. */
export async function outcomeOf(fuzzCase: FuzzCase, judges: Judges): Promise<Outcome> {
  try {
    const verdict = await kinds[fuzzCase.kind].read(fuzzCase.bytes, fuzzCase.from, judges)
    if (verdict !== 'valid') return { result: 'value' }
    return mayBeValid(fuzzCase) ? { result: 'valid' } : { result: 'problem', problem: 'changed content reported valid' }
  } catch (error) {
    if (error instanceof EngineError) return { result: 'refused' }
    return { result: 'problem', problem: describe(error) }
  }
}

/** Whether everything that one of its parents signed is still in the file. */
function mayBeValid({ kind, bytes, parents }: FuzzCase): boolean {
  const { asSigned }: Kind = kinds[kind]
  const signed = asSigned?.(bytes) ?? bytes
  return parents.some(({ signedParts }) => signedParts.every((part) => signed.includes(part)))
}

/** The error with the line of the engine that let it escape. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  return [`${error.name}: ${error.message.slice(0, 200)}`, ...frames.slice(0, 6)].join('\n')
}
