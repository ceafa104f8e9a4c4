import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface CodeFieldProps {
  value: string
  /** Default: that it is the code. */
  label?: string
  description?: string
  /** Whether a recovery code is accepted, too. */
  orRecovery?: boolean
  onChange: (code: string) => void
}

/** Six digits of an authenticator app; apps show two groups, so a blank between them is accepted. */
export function CodeField({ value, label, description, orRecovery, onChange }: CodeFieldProps) {
  const { t } = useTranslation('console-login')
  return (
    <TextInput
      label={label ?? t('code')}
      description={description}
      inputMode={orRecovery ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      pattern={orRecovery ? '[0-9]{6}|([a-zA-Z0-9]{4}-?){4}' : '[0-9]{6}'}
      autoFocus
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replace(/\s/g, ''))}
    />
  )
}
