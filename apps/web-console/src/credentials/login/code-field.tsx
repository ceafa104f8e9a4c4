import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export interface CodeFieldProps {
  name?: 'code' | 'presentCode'
  /** Default: that it is the code. */
  label?: string
  description?: string
}

/** Six digits of an authenticator app. */
export function CodeField({ name = 'code', label, description }: CodeFieldProps) {
  const { t } = useTranslation('credentials-login')
  return (
    <TextInput
      name={name}
      label={label ?? t('code')}
      description={description}
      inputMode="numeric"
      autoComplete="one-time-code"
      // Apps show two groups, and some copy the blank between them.
      pattern="[0-9]{3} ?[0-9]{3}"
      autoFocus={name === 'code'}
      required
    />
  )
}

/** The code of a form that has it, as the service takes it. */
export function codeIn(typed: FormData, name: CodeFieldProps['name'] = 'code'): { code?: string } {
  const code = typed.get(name)
  return code === null ? {} : { code: String(code).replaceAll(/\s/g, '') }
}
