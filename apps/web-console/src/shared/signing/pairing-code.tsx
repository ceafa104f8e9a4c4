import { Button } from '@mantine/core'
import { MonitorSmartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../format/use-formats.ts'
import type { BegunRequest } from './offers.ts'
import classes from './signing.module.css'

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
  const { t } = useTranslation('signing')
  const { dateAndMinute } = useFormats()
  const { code, expiresAt } = begun
  return (
    <div className={classes.pairing}>
      <MonitorSmartphone size={28} aria-hidden="true" />
      <p id="pairing-code-label">{t('token.codeLabel')}</p>
      <output className={classes.code} aria-labelledby="pairing-code-label" translate="no">
        {code}
      </output>
      <ol className={classes.steps}>
        {mayOpen && <li>{t('token.stepWindow')}</li>}
        <li>
          {t(mayOpen ? 'token.stepPair' : 'token.stepType')} <code>chancela-agent pair {code}</code>
        </li>
        <li>{t('token.stepApprove')}</li>
      </ol>
      <p role="status" className={classes.quiet}>
        {isSigning ? t('token.signing') : t('token.waiting', { date: dateAndMinute(expiresAt) })}
      </p>
      {!isSigning && (
        <Button variant="default" onClick={onCancel}>
          {t('token.cancel')}
        </Button>
      )}
    </div>
  )
}
