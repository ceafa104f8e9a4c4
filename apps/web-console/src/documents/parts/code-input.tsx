import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Asks for what the authenticator app shows, or for a recovery code in its place. */
export function CodeInput() {
  const { t } = useTranslation('documents')
  return (
    <TextInput
      name="code"
      label={t('code')}
      description={t('codeHint')}
      autoComplete="one-time-code"
      maxLength={40}
      autoFocus
      required
    />
  )
}
