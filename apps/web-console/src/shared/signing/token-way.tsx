import { Button } from '@mantine/core'
import { Usb } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TokenOffer, WantedCertificate } from './offers.ts'
import { PairingCode } from './pairing-code.tsx'
import { Note, SignFailure } from './sign-failure.tsx'
import classes from './signing.module.css'
import { useOutcomeText } from './use-outcome-text.ts'
import { useTokenRequest } from './use-token-request.ts'

interface TokenWayProps {
  offer: TokenOffer
  wanted: WantedCertificate
  onSigned: () => void
}

/** Signs with a token or a file at a computer: its agent asks the holder, and takes the PIN. */
export function TokenWay({ offer, wanted, onSigned }: TokenWayProps) {
  const { t } = useTranslation('signing')
  const { state, begin, cancel } = useTokenRequest(offer)
  const outcomeText = useOutcomeText()
  const outcome = state.kind === 'ended' ? state.outcome : undefined
  const signed = useRef(onSigned)
  signed.current = onSigned
  useEffect(() => {
    if (outcome === 'signed') signed.current()
  }, [outcome])
  const mayOpen = wanted.cpf !== null
  if (state.kind === 'open') return <PairingCode {...state} mayOpen={mayOpen} onCancel={cancel} />
  // The page goes on by itself.
  if (state.kind === 'ended' && outcome === 'signed')
    return <PairingCode {...state} isSigning mayOpen={mayOpen} onCancel={cancel} />
  return (
    <>
      <p className={classes.quiet}>{t('token.hint')}</p>
      {wanted.type && <p>{t('required', { type: wanted.type })}</p>}
      {state.kind === 'failed' && <SignFailure error={state.error} />}
      {outcome && outcome !== 'canceled' && <Note>{outcomeText(outcome)}</Note>}
      <Button
        loading={state.kind === 'beginning'}
        leftSection={<Usb size={16} aria-hidden="true" />}
        onClick={() => void begin()}
      >
        {t('token.go')}
      </Button>
      {offer.testAddress && (
        <a href={offer.testAddress} target="_blank" rel="noopener">
          {t('token.test')}
        </a>
      )}
    </>
  )
}
