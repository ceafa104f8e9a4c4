import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Role, RootRole } from '../api/types.ts'
import classes from './parts.module.css'

export interface RoleFieldsProps<Name extends string> {
  label: string
  all: readonly Name[]
  chosen: readonly Name[]
  onChange: (chosen: readonly Name[]) => void
}

/** Roles to choose from, each with what it allows; their names are those of the contract. */
export function RoleFields<Name extends Role | RootRole>({ label, all, chosen, onChange }: RoleFieldsProps<Name>) {
  const { t } = useTranslation('core')
  return (
    <Checkbox.Group label={label} value={[...chosen]} onChange={(values) => onChange(values as Name[])}>
      <div className={classes.roles}>
        {all.map((name) => (
          <Checkbox key={name} value={name} label={name} description={t(`roles.${name}`)} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
