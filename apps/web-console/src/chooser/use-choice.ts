import { useCallback, useEffect, useState } from 'react'
import { type Answer, askForChoice, type Choice } from './read-choice.ts'

/** setTimeout overflows above this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface Chosen {
  /** Undefined before the first answer. */
  readonly answer: Answer | undefined
  /** The last choice that was read, for the link back after it has expired. */
  readonly last: Choice | undefined
  readonly again: () => void
}

/** Reads the choice, and again when it expires: the hub's clock decides, not the phone's. */
export function useChoice(): Chosen {
  const [answer, setAnswer] = useState<Answer>()
  const [last, setLast] = useState<Choice>()
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound((now) => now + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks anew
  useEffect(() => {
    const asking = new AbortController()
    void askForChoice(location.pathname, asking.signal).then((next) => {
      if (asking.signal.aborted) return
      setAnswer(next)
      if (next.kind === 'choice') setLast(next.choice)
    })
    return () => asking.abort()
  }, [round])

  const expiresAt = answer?.kind === 'choice' ? Date.parse(answer.choice.expiresAt) : undefined
  useEffect(() => {
    const left = (expiresAt ?? 0) - Date.now()
    if (left <= 0) return
    const timer = setTimeout(again, Math.min(left, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  }, [expiresAt, again])

  return { answer, last, again }
}
