import { Usb } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { fill } from '../i18n/fill.ts'
import { Button } from './button.tsx'
import type { TokenOffer, WantedCertificate } from './offers.ts'
import { PairingCode } from './pairing-code.tsx'
import { Note, SignFailure } from './sign-failure.tsx'
import classes from './signing.module.css'
import { useSigningTexts } from './signing-page.ts'
import { useOutcomeText } from './use-outcome-text.ts'
import { useTokenRequest } from './use-token-request.ts'

interface TokenWayProps {
  offer: TokenOffer
  wanted: WantedCertificate
  onSigned: () => void
}

/** Signs with a token or a file at a computer: its agent asks the holder, and takes the PIN. */
export function TokenWay({ offer, wanted, onSigned }: TokenWayProps) {
  const texts = useSigningTexts()
  const { state, begin, cancel } = useTokenRequest(offer)
  const outcomeText = useOutcomeText()
  const outcome = state.kind === 'ended' ? state.outcome : undefined
  const signed = useRef(onSigned)
  signed.current = onSigned
  useEffect(() => {
    if (outcome === 'signed') signed.current()
  }, [outcome])
  const mayOpen = offer.knowsHolder
  if (state.kind === 'open') return <PairingCode {...state} mayOpen={mayOpen} onCancel={cancel} />
  // The page goes on by itself.
  if (state.kind === 'ended' && outcome === 'signed')
    return <PairingCode {...state} isSigning mayOpen={mayOpen} onCancel={cancel} />
  return (
    <>
      <p className={classes.quiet}>{texts.token.hint}</p>
      {wanted.type && <p>{fill(texts.required, { type: wanted.type })}</p>}
      {state.kind === 'failed' && <SignFailure error={state.error} />}
      {outcome && outcome !== 'canceled' && <Note>{outcomeText(outcome)}</Note>}
      <Button busy={state.kind === 'beginning'} icon={Usb} onClick={() => void begin()}>
        {texts.token.go}
      </Button>
      {offer.testAddress && (
        <a href={offer.testAddress} target="_blank" rel="noopener">
          {texts.token.test}
        </a>
      )}
    </>
  )
}
