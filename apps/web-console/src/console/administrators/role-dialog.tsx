import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeRole } from '../api/administrators.ts'
import type { Administrator } from '../api/types.ts'
import { RoleField } from './role-field.tsx'

/** Another role for somebody; the server asks for a proof where the last one is old. */
export function RoleDialog({ administrator, onClose }: { administrator: Administrator; onClose: () => void }) {
  const { t } = useTranslation('console-administrators')
  const { id, name } = administrator
  const [role, setRole] = useState(administrator.role)
  const { attempt } = useAction(
    () => changeRole(id, role),
    () => t('roleChanged', { name, role: t(`roles.${role}`) }),
  )
  return (
    <FormDialog
      title={t('changeRoleOf', { name })}
      confirm={t('changeRole')}
      ready={role !== administrator.role}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <p>{t('changeRoleText', { name })}</p>
      <RoleField role={role} onChange={setRole} />
    </FormDialog>
  )
}
