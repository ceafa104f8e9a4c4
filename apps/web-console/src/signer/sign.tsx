import { useState } from 'react'
import { CloudOutcomeNote } from '../shared/signing/cloud-outcome.tsx'
import type { Way } from '../shared/signing/offers.ts'
import { SignWith } from '../shared/signing/sign-with.tsx'
import { useAttempt } from '../shared/signing/use-attempt.ts'
import { offersOf } from './offers.ts'
import { Problem } from './problem.tsx'
import { askedWay, cloudOutcome, readSession, type Session } from './session-api.ts'

interface SignProps {
  session: Session
  /** The person has signed. */
  onEnd: (session: Session) => void
}

/** The requirements say whose certificate it must be; the page does not know the whole CPF. */
const ANY = { cpf: null, type: null }

/** Every way to sign that the session offers. */
export function Sign({ session, onEnd }: SignProps) {
  const [offers] = useState(() => offersOf(session))
  const cloud = cloudOutcome()
  const { failure, attempt } = useAttempt()
  const end = () => attempt(async () => onEnd(await readSession()))
  return (
    <>
      {cloud && <CloudOutcomeNote outcome={cloud} />}
      <SignWith
        offers={offers}
        asked={cloud ? 'cloud' : (askedWay() as Way | undefined)}
        wanted={ANY}
        onSigned={() => void end()}
      />
      {failure !== undefined && <Problem error={failure} />}
    </>
  )
}
