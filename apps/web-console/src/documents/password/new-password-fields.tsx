import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type passwordFault, SHORTEST_PASSWORD } from './new-password.ts'

export interface NewPasswordFieldsProps {
  fault: ReturnType<typeof passwordFault>
  /** Whether another field comes first. */
  isNext?: boolean
}

/** A new password, typed twice. */
export function NewPasswordFields({ fault, isNext = false }: NewPasswordFieldsProps) {
  const { t } = useTranslation('documents-password')
  const toggle = { 'aria-label': t('showPassword') }
  return (
    <>
      <PasswordInput
        name="password"
        label={t('newPassword')}
        description={t('newPasswordHint', { count: SHORTEST_PASSWORD })}
        // Below, so that fields beside each other stand on one line.
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="new-password"
        autoFocus={!isNext}
        required
        error={fault === 'password' && t('tooShort', { count: SHORTEST_PASSWORD })}
        visibilityToggleButtonProps={toggle}
      />
      <PasswordInput
        name="again"
        label={t('again')}
        autoComplete="new-password"
        required
        error={fault === 'again' && t('different')}
        visibilityToggleButtonProps={toggle}
      />
    </>
  )
}
