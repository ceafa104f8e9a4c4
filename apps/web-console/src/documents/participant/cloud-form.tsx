import { Button } from '@mantine/core'
import { Cloud, ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { beginCloudSigning } from '../api/participant.ts'
import classes from './participant.module.css'
import { isEmbedded } from './post-to-parent.ts'
import { SignFailure } from './sign-failure.tsx'
import type { SignFormProps } from './sign-panel.tsx'
import { useAttempt } from './use-attempt.ts'

/** Signs with a certificate kept by a provider: the browser is redirected there and back. */
export function CloudForm({ data, access, mark, onElsewhere }: SignFormProps) {
  const { t } = useTranslation('documents-participant')
  const { busy, failure, attempt } = useAttempt()
  const { requiredCertificateTypeToSign: required } = data.action
  const go = () => attempt(async () => window.location.assign((await beginCloudSigning(access, mark)).url))
  return (
    <>
      <p className={classes.quiet}>{t('cloud.hint')}</p>
      {required && <p>{t('file.required', { type: required })}</p>}
      {failure !== undefined && <SignFailure error={failure} />}
      {isEmbedded() ? (
        // Providers refuse to be framed, and browsers block their cookies there.
        <Button
          component="a"
          href={`/document/key/${access.key}/sign?${new URLSearchParams({ ticket: access.ticket, way: 'cloud' })}`}
          target="_blank"
          rel="noopener"
          onClick={onElsewhere}
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
