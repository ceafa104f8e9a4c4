import { Camera } from 'lucide-react'
import { fill } from '../shared/i18n/fill.ts'
import classes from './bio.module.css'
import type { BioTexts } from './bio-texts.ts'
import type { Session } from './page-calls.ts'
import { useTexts, useTitle } from './use-texts.ts'

const purposes: Readonly<Record<Session['sessionType'], keyof BioTexts['consent']>> = {
  Liveness: 'liveness',
  Enrollment: 'enrollment',
  Authentication: 'matching',
  Identification: 'matching',
}

interface ConsentProps {
  session: Session
  onAgree: () => void
  onRefuse: () => void
}

/** Nothing is captured before the person has read this and agreed. */
export function ConsentView({ session, onAgree, onRefuse }: ConsentProps) {
  const { asks, consent } = useTexts()
  useTitle(consent.title)
  return (
    <>
      <h1>{consent.title}</h1>
      <p className={classes.asks}>{fill(asks, { application: session.application })}</p>
      <p>{consent[purposes[session.sessionType]]}</p>
      <p>{consent.how}</p>
      <p className={classes.muted}>{consent.kept}</p>
      <div className={classes.actions}>
        <button type="button" className={classes.button} onClick={onAgree}>
          <Camera size={16} aria-hidden="true" /> {consent.agree}
        </button>
        <button type="button" className={classes.quiet} onClick={onRefuse}>
          {consent.refuse}
        </button>
      </div>
    </>
  )
}
