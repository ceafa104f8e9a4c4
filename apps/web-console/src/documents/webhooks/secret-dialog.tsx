import { useTranslation } from 'react-i18next'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'

/** Shows a signing secret, which cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('documents-webhooks')
  return (
    <OnceDialog
      title={t('secret.title')}
      text={t('secret.text')}
      value={secret}
      what={t('secret.what')}
      taken={t('secret.taken')}
      onClose={onClose}
    />
  )
}
