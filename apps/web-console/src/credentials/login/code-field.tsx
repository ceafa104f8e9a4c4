import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Six digits of an authenticator app. */
export function CodeField({ description }: { description?: string }) {
  const { t } = useTranslation('credentials-login')
  return (
    <TextInput
      name="code"
      label={t('code')}
      description={description}
      inputMode="numeric"
      autoComplete="one-time-code"
      // Apps show two groups, and some copy the blank between them.
      pattern="[0-9]{3} ?[0-9]{3}"
      autoFocus
      required
    />
  )
}

/** The code of a form that has it, as the service takes it. */
export function codeIn(typed: FormData): { code?: string } {
  const code = typed.get('code')
  return code === null ? {} : { code: String(code).replaceAll(/\s/g, '') }
}
