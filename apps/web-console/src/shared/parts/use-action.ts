import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotices } from './notices.tsx'

/**
 * Runs an operator's action, one at a time: shows the result and refetches all queries. `run` always resolves;
 * `attempt` throws, for a dialog that shows the error itself.
 */
export function useAction<Input, Answer>(act: (input: Input) => Promise<Answer>, said: (answer: Answer) => string) {
  const queries = useQueryClient()
  const { done, failed } = useNotices()
  const [busy, setBusy] = useState(false)

  async function attempt(input: Input): Promise<Answer> {
    setBusy(true)
    try {
      const answer = await act(input)
      done(said(answer))
      return answer
    } finally {
      setBusy(false)
      void queries.invalidateQueries()
    }
  }

  const run = (input: Input): Promise<Answer | undefined> =>
    attempt(input).catch((error: unknown) => {
      failed(error)
      return undefined
    })

  return { run, attempt, busy }
}
