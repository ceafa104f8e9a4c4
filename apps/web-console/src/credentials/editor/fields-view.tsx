import { Button, Checkbox } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ChoiceFields } from './choice-fields.tsx'
import { useEditing } from './editing.tsx'
import classes from './editor.module.css'
import { elementId, useOf } from './editor-store.ts'
import type { Field, FlagField, GroupField } from './form-types.ts'
import { ItemsField, ValuesField } from './items-field.tsx'
import { PartBody } from './part-body.tsx'
import { ValueInput } from './value-field.tsx'

const keyOf = (field: Field): string =>
  field.kind === 'oneOf' ? `one of ${field.options.flat().map(keyOf).join()}` : field.name

/** Fields in the order of the layout; those that something else fills in are not asked. */
export function FieldsView({ fields, path }: { fields: readonly Field[]; path: string }) {
  const { filled } = useEditing()
  return fields
    .filter(({ filledBy }) => filledBy === undefined || !filled.includes(filledBy))
    .map((field) => <FieldView key={keyOf(field)} field={field} path={path} />)
}

function FieldView({ field, path }: { field: Field; path: string }) {
  if (field.kind === 'oneOf') return <ChoiceFields field={field} path={path} />
  const own = `${path}.${field.name}`
  if (field.kind === 'value')
    return field.repeated ? <ValuesField field={field} path={own} /> : <ValueInput field={field} path={own} />
  if (field.kind === 'flag') return <Flag field={field} path={own} />
  if (field.kind === 'list' || field.repeated) return <ItemsField field={field} path={own} />
  return <GroupView field={field} path={own} />
}

function Flag({ field, path }: { field: FlagField; path: string }) {
  const { store } = useEditing()
  const checked = useOf(store, () => store.value(path) === true)
  return (
    <Checkbox
      id={elementId(path)}
      label={field.label}
      checked={checked}
      onChange={({ currentTarget }) => store.set(path, currentTarget.checked ? true : undefined)}
    />
  )
}

/** A part: one that may be left out is added by a button. */
function GroupView({ field, path }: { field: GroupField; path: string }) {
  const { t } = useTranslation('credentials-editor')
  const { store } = useEditing()
  const isThere = useOf(store, () => field.required || store.value(path) !== undefined)
  if (!isThere)
    return (
      <div>
        <Button
          variant="subtle"
          size="xs"
          className={classes.add!}
          leftSection={<Plus size={14} aria-hidden="true" />}
          onClick={() => store.set(path, {})}
        >
          {t('add', { what: field.label })}
        </Button>
      </div>
    )
  return (
    <fieldset className={classes.group} id={elementId(path)} tabIndex={-1}>
      <legend>
        <span className={classes.head}>
          {field.label}
          {!field.required && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={t('remove', { what: field.label })}
              leftSection={<Trash2 size={14} aria-hidden="true" />}
              onClick={() => store.set(path, undefined)}
            >
              {t('remove', { what: '' }).replace(/: ?$/, '')}
            </Button>
          )}
        </span>
      </legend>
      <PartBody field={field} path={path} />
    </fieldset>
  )
}
