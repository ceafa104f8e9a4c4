import { Cloud, ExternalLink } from 'lucide-react'
import { isEmbedded } from '../frame/is-embedded.ts'
import { fill } from '../i18n/fill.ts'
import { Button } from './button.tsx'
import type { CloudOffer, WantedCertificate } from './offers.ts'
import { SignFailure } from './sign-failure.tsx'
import classes from './signing.module.css'
import { useSigningTexts } from './signing-page.ts'
import { useAttempt } from './use-attempt.ts'

interface CloudWayProps {
  offer: CloudOffer
  wanted: WantedCertificate
  onLeave: () => void
}

/** Signs with a certificate kept by a provider: the browser is redirected there and back. */
export function CloudWay({ offer, wanted, onLeave }: CloudWayProps) {
  const texts = useSigningTexts()
  const { busy, failure, attempt } = useAttempt()
  const go = () =>
    attempt(async () => {
      const address = await offer.begin()
      onLeave()
      window.location.assign(address)
    })
  const leave = () => {
    onLeave()
    offer.onElsewhere?.()
  }
  return (
    <>
      <p className={classes.quiet}>{texts.cloud.hint}</p>
      {wanted.type && <p>{fill(texts.required, { type: wanted.type })}</p>}
      {failure !== undefined && <SignFailure error={failure} />}
      {isEmbedded() ? (
        // Providers refuse to be framed, and browsers block their cookies there.
        <a className={classes.main} href={offer.windowAddress} target="_blank" rel="noopener" onClick={leave}>
          <ExternalLink size={16} aria-hidden="true" />
          {texts.cloud.window}
        </a>
      ) : (
        <Button busy={busy} icon={Cloud} onClick={() => void go()}>
          {texts.cloud.go}
        </Button>
      )}
    </>
  )
}
