import { useCallback, useEffect, useState } from 'react'
import { CONSENT_SHOWN } from './bio-texts.ts'
import { type Answer, callPage, type Session } from './page-calls.ts'

export interface Shown {
  /** Undefined before the first answer. */
  readonly answer: Answer | undefined
  readonly agree: () => Promise<void>
  readonly abort: () => Promise<void>
  readonly reload: () => Promise<void>
  /** Sends a frame; the session as it stands then. */
  readonly send: (session: Session, jpeg: string) => Promise<Answer>
}

/** The session of the page's address. */
export function useSession(): Shown {
  const [answer, setAnswer] = useState<Answer>()
  const reload = useCallback(async () => setAnswer(await callPage('GET', '')), [])
  useEffect(() => void reload(), [reload])

  // What was out of turn is read again: the server knows how the session stands.
  const settle = useCallback(async (next: Answer) => {
    const settled = next.kind === 'again' ? await callPage('GET', '') : next
    setAnswer(settled)
    return settled
  }, [])
  const agree = useCallback(async () => {
    await settle(await callPage('POST', '/consent', { consentVersion: CONSENT_SHOWN, agreed: true }))
  }, [settle])
  const abort = useCallback(async () => void (await settle(await callPage('POST', '/abort'))), [settle])
  const send = useCallback(
    async ({ frame }: Session, jpeg: string) => {
      const next = await callPage('POST', '/frames', { frame, jpeg })
      // A frame that got lost on its way is no reason to stop: the next may arrive.
      return next.kind === 'unreachable' ? next : settle(next)
    },
    [settle],
  )
  return { answer, agree, abort, reload, send }
}
