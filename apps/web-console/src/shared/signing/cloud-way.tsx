import { Button } from '@mantine/core'
import { Cloud, ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isEmbedded } from '../frame/is-embedded.ts'
import type { CloudOffer, WantedCertificate } from './offers.ts'
import { SignFailure } from './sign-failure.tsx'
import classes from './signing.module.css'
import { useAttempt } from './use-attempt.ts'

interface CloudWayProps {
  offer: CloudOffer
  wanted: WantedCertificate
  onLeave: () => void
}

/** Signs with a certificate kept by a provider: the browser is redirected there and back. */
export function CloudWay({ offer, wanted, onLeave }: CloudWayProps) {
  const { t } = useTranslation('signing')
  const { busy, failure, attempt } = useAttempt()
  const go = () =>
    attempt(async () => {
      const address = await offer.begin()
      onLeave()
      window.location.assign(address)
    })
  const leave = () => {
    onLeave()
    offer.onElsewhere()
  }
  return (
    <>
      <p className={classes.quiet}>{t('cloud.hint')}</p>
      {wanted.type && <p>{t('required', { type: wanted.type })}</p>}
      {failure !== undefined && <SignFailure error={failure} />}
      {isEmbedded() ? (
        // Providers refuse to be framed, and browsers block their cookies there.
        <Button
          component="a"
          href={offer.windowAddress}
          target="_blank"
          rel="noopener"
          onClick={leave}
          leftSection={<ExternalLink size={16} aria-hidden="true" />}
        >
          {t('cloud.window')}
        </Button>
      ) : (
        <Button loading={busy} leftSection={<Cloud size={16} aria-hidden="true" />} onClick={() => void go()}>
          {t('cloud.go')}
        </Button>
      )}
    </>
  )
}
