import { type FormEvent, useState } from 'react'
import { CallFailure } from '../../shared/api/request.ts'
import { useAction } from '../../shared/parts/use-action.ts'
import { asSent, type Draft, stepsOf, valueAt, withValue } from './draft.ts'
import { useFieldWords } from './use-field-words.ts'

/** What the service said of a field. */
export interface FieldProblem {
  readonly path: string
  readonly says: string
}

/** What is wrong, by field, in the words of the service. */
export const problemsIn = (failure: unknown): readonly FieldProblem[] =>
  failure instanceof CallFailure && failure.reason.kind === 'refused'
    ? Object.entries(failure.reason.problem.errors).flatMap(([path, texts]) => texts.map((says) => ({ path, says })))
    : []

const samePath = (one: string, other: string): boolean => stepsOf(one).join('.') === stepsOf(other).join('.')

/** A form whose fields are paths into what is sent; a refusal stands at the fields it is about. */
export function useDraftForm<Answer>(
  initial: Draft,
  save: (body: unknown) => Promise<Answer>,
  said: (answer: Answer) => string,
) {
  const [draft, setDraft] = useState(initial)
  const [failure, setFailure] = useState<unknown>()
  const { attempt, busy } = useAction(save, said)
  const words = useFieldWords()
  const problems = problemsIn(failure)
  const set = (path: string, value: unknown) => setDraft((former) => withValue(former, path, value))
  const problemAt = (path: string) => {
    const found = problems.find((one) => samePath(one.path, path))
    return found && words.problem(found)
  }

  /** Sends it; the answer, or undefined where it was refused. */
  async function submit(event: FormEvent): Promise<Answer | undefined> {
    event.preventDefault()
    setFailure(undefined)
    try {
      return await attempt(asSent(draft))
    } catch (error) {
      setFailure(error)
      return undefined
    }
  }

  /** What an input needs to be the field at a path. */
  const field = (path: string) => ({
    label: words.name(path),
    error: problemAt(path),
    value: String(valueAt(draft, path) ?? ''),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(path, currentTarget.value),
  })

  return { draft, set, setDraft, field, problemAt, problems, failure, busy, submit }
}

export type DraftForm = Omit<ReturnType<typeof useDraftForm>, 'submit'>
