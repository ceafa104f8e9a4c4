import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Role } from '../api/types.ts'

const roles = ['administrator', 'auditor', 'support'] as const satisfies readonly Role[]

/** What somebody may do, with a sentence about the role that is chosen. */
export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const { t } = useTranslation('console-administrators')
  return (
    <NativeSelect
      label={t('role')}
      description={t(`roleTexts.${role}`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={role}
      data={roles.map((value) => ({ value, label: t(`roles.${value}`) }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Role)}
    />
  )
}
