import { Ban, CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import parts from '../../console/parts/parts.module.css'
import { Chip } from '../../shared/parts/chip.tsx'
import type { Application } from '../api/types.ts'
import classes from '../parts/parts.module.css'

/** Whether the keys of an application are accepted. */
export function ApplicationChip({ application: { disabled } }: { application: Application }) {
  const { t } = useTranslation('core')
  return (
    <Chip icon={disabled ? Ban : CircleCheck} tone={disabled ? 'idle' : 'good'}>
      {t(disabled ? 'disabled' : 'enabled')}
    </Chip>
  )
}

/** Roles, under the names of the contract, and where they hold. */
export function RoleChips({ where, roles }: { where: string; roles: readonly string[] }) {
  return (
    <span className={parts.stack}>
      <span className={parts.small}>{where}</span>
      <span className={classes.chips} translate="no">
        {roles.map((role) => (
          <Chip key={role} tone="plain">
            {role}
          </Chip>
        ))}
      </span>
    </span>
  )
}
