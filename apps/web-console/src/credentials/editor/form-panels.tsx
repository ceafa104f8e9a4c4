import { Button } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { useEditing, useProblem } from './editing.tsx'
import classes from './editor.module.css'
import { elementId, useOf } from './editor-store.ts'
import type { Field, GroupField, ListField, Variant } from './form-types.ts'

/** A part of the page: one group of the form, what repeats, or fields that belong to no part. */
interface Part {
  readonly title: string
  /** What it is inside of. */
  readonly around: string
  readonly path: string
  readonly group?: GroupField
  readonly fields: readonly Field[]
}

const isSingleGroup = (field: Field): field is GroupField => field.kind === 'group' && !field.repeated

const repeats = (field: Field): field is GroupField | ListField =>
  field.kind === 'list' || (field.kind === 'group' && field.repeated)

/** Parts of parts stand on their own where there are several: nesting is hard to read. */
const isSplit = (field: GroupField): boolean =>
  field.required && field.fields.filter((inner) => isSingleGroup(inner) && inner.required).length > 1

function partsOf(title: string, around: string, path: string, fields: readonly Field[]): readonly Part[] {
  const own = fields.filter((field) => !isSingleGroup(field) && !repeats(field))
  const parts = fields.flatMap((field): readonly Part[] => {
    if (!isSingleGroup(field))
      return repeats(field) ? [{ title: field.label, around: title, path, fields: [field] }] : []
    const inner = `${path}.${field.name}`
    if (isSplit(field)) return partsOf(field.label, title, inner, field.fields)
    return [{ title: field.label, around: title, path: inner, group: field, fields: field.fields }]
  })
  return own.length === 0 ? parts : [{ title, around, path, fields: own }, ...parts]
}

/** Forms as panels; two of one name are told apart by what they are inside of. */
export function FormPanels({ variants }: { variants: readonly Variant[] }) {
  const { filled } = useEditing()
  const isAsked = ({ filledBy }: Field) => filledBy === undefined || !filled.includes(filledBy)
  const parts = variants
    .flatMap(({ label, at, fields }) => partsOf(label, '', at, fields))
    .filter(({ group }) => group === undefined || isAsked(group))
    .map((part) => ({ ...part, fields: part.fields.filter(isAsked) }))
    .filter(({ fields }) => fields.length > 0)
  const titles = parts.map(({ title }) => title)
  return parts.map(({ title, around, ...part }) => {
    const isOne = titles.indexOf(title) === titles.lastIndexOf(title) || around === ''
    const full = isOne ? title : `${around} › ${title}`
    return <PartPanel key={`${part.path} ${title}`} title={full} {...part} />
  })
}

function PartPanel({ title, path, group, fields }: Omit<Part, 'around'>) {
  const { t } = useTranslation('credentials-editor')
  const { store, Fields } = useEditing()
  const isOptional = group !== undefined && !group.required
  const isThere = useOf(store, () => !isOptional || store.value(path) !== undefined)
  const problem = useProblem(path, group)
  const Icon = isThere ? Trash2 : Plus
  const actions = isOptional && (
    <Button
      variant="subtle"
      size="xs"
      className={classes.add!}
      leftSection={<Icon size={14} aria-hidden="true" />}
      onClick={() => store.set(path, isThere ? undefined : {})}
    >
      {t(isThere ? 'remove' : 'add', { what: title })}
    </Button>
  )
  return (
    <Panel title={title} lead={group?.help} actions={actions}>
      {isThere && (
        <div {...(group && { id: elementId(path), tabIndex: -1 })} className={classes.panelBody}>
          {problem && <p className={classes.problem}>{problem}</p>}
          <div className={classes.fields}>
            <Fields fields={fields} path={path} />
          </div>
        </div>
      )}
    </Panel>
  )
}
