import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type passwordFault, SHORTEST_PASSWORD } from './new-password.ts'

/** A new password, typed twice. */
export function NewPasswordFields({ fault }: { fault: ReturnType<typeof passwordFault> }) {
  const { t } = useTranslation('documents-password')
  const toggle = { 'aria-label': t('showPassword') }
  return (
    <>
      <PasswordInput
        name="password"
        label={t('newPassword')}
        description={t('newPasswordHint', { count: SHORTEST_PASSWORD })}
        autoComplete="new-password"
        autoFocus
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
