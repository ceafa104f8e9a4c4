import { CircleCheck, CircleX, type LucideIcon, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import classes from './bio.module.css'
import { Notice } from './notice.tsx'
import type { Session } from './page-calls.ts'
import { useTexts } from './use-texts.ts'

const words = { Succeeded: 'succeeded', Failed: 'failed', Aborted: 'aborted', Expired: 'expired' } as const

/** Time to read how it ended. */
const LEAVES_AFTER_MS = 2000

/** How it ended, and the way back: by itself after a moment, or by the link. */
export function EndView({ session, icon }: { session: Session; icon?: LucideIcon }) {
  const texts = useTexts()
  const { state, returnUrl } = session
  useEffect(() => tellParent(session), [session])
  useEffect(() => {
    if (!returnUrl) return
    const timer = setTimeout(() => location.assign(returnUrl), LEAVES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [returnUrl])
  const isGood = state === 'Succeeded'
  const text = texts[words[state as keyof typeof words]]
  return (
    <Notice icon={icon ?? (isGood ? CircleCheck : CircleX)} good={isGood} {...text}>
      {returnUrl && (
        <a className={classes.button} href={returnUrl} rel="noreferrer">
          <Undo2 size={16} aria-hidden="true" /> {texts.back}
        </a>
      )}
    </Notice>
  )
}

/** What the site around the frame gets; no other site would. */
function tellParent({ trustedOrigin, completeTicket, state }: Session): void {
  if (!trustedOrigin || window.parent === window) return
  window.parent.postMessage({ source: 'chancela-bio', state, completeTicket }, trustedOrigin)
}
