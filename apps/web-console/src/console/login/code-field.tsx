import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface CodeFieldProps {
  value: string
  /** Default: that it is the code. */
  label?: string
  description?: string
  onChange: (code: string) => void
}

/** Six digits of an authenticator app; apps show two groups, so a blank between them is accepted. */
export function CodeField({ value, label, description, onChange }: CodeFieldProps) {
  const { t } = useTranslation('console-login')
  return (
    <TextInput
      label={label ?? t('code')}
      description={description}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      autoFocus
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replace(/\s/g, ''))}
    />
  )
}
