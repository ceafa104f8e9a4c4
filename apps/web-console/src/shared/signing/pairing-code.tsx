import { MonitorSmartphone } from 'lucide-react'
import { fill } from '../i18n/fill.ts'
import { Button } from './button.tsx'
import type { BegunRequest } from './offers.ts'
import classes from './signing.module.css'
import { useSigningTexts, useTimes } from './signing-page.ts'

interface PairingCodeProps {
  begun: BegunRequest
  /** The holder has approved. */
  isSigning: boolean
  /** Whether the service knows who is asked, so that a window may open at the computer by itself. */
  mayOpen: boolean
  onCancel: () => void
}

/** The code that both screens show, and what to do with it. */
export function PairingCode({ begun, isSigning, mayOpen, onCancel }: PairingCodeProps) {
  const { token } = useSigningTexts()
  const { dateAndMinute } = useTimes()
  const { code, expiresAt } = begun
  return (
    <div className={classes.pairing}>
      <MonitorSmartphone size={28} aria-hidden="true" />
      <p id="pairing-code-label">{token.codeLabel}</p>
      <output className={classes.code} aria-labelledby="pairing-code-label" translate="no">
        {code}
      </output>
      <ol className={classes.steps}>
        {mayOpen && <li>{token.stepWindow}</li>}
        <li>
          {mayOpen ? token.stepPair : token.stepType} <code>chancela-agent pair {code}</code>
        </li>
        <li>{token.stepApprove}</li>
      </ol>
      <p role="status" className={classes.quiet}>
        {isSigning ? token.signing : fill(token.waiting, { date: dateAndMinute(expiresAt) })}
      </p>
      {!isSigning && (
        <Button look="plain" onClick={onCancel}>
          {token.cancel}
        </Button>
      )}
    </div>
  )
}
