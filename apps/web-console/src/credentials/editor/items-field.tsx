import { Button } from '@mantine/core'
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Plus, Trash2 } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../shared/icon-button.tsx'
import { useEditing, useProblem } from './editing.tsx'
import classes from './editor.module.css'
import { type EditorStore, elementId, plainPath, useOf } from './editor-store.ts'
import { moved, namedIn, newItem, summaryOf } from './form-data.ts'
import type { FlagField, GroupField, ListField, NamedField, ValueField } from './form-types.ts'
import { PartBody } from './part-body.tsx'
import { ValueInput } from './value-field.tsx'

const itemsIn = (store: EditorStore, path: string): readonly unknown[] => {
  const value = store.value(path)
  return Array.isArray(value) ? value : []
}

/** Which item a path leads into. */
const itemOf = (path: string, target: string | undefined): number | undefined => {
  const before = `${plainPath(path)}.`
  if (!target?.startsWith(before)) return undefined
  const number = Number.parseInt(target.slice(before.length), 10)
  return Number.isNaN(number) ? undefined : number
}

/** The open item: the one that was opened last, or that a problem leads into. */
function useOpenItem(path: string) {
  const { store } = useEditing()
  const [open, setOpen] = useState<number | undefined>(() => itemOf(path, store.target))
  const target = useOf(store, () => store.target)
  useEffect(() => {
    const wanted = itemOf(path, target)
    if (wanted !== undefined) setOpen(wanted)
  }, [path, target])
  return [open, setOpen] as const
}

type RepeatedField = GroupField | ListField | FlagField

/** Sorts of items: of a list several, each under its own name. */
const sortsOf = (field: RepeatedField): readonly NamedField[] =>
  field.kind === 'list' ? namedIn(field.items) : [field as GroupField]

/** Parts that repeat, in order: one line each, and one of them open. */
export function ItemsField({ field, path }: { field: RepeatedField; path: string }) {
  const { t } = useTranslation('credentials-editor')
  const { store } = useEditing()
  const count = useOf(store, () => itemsIn(store, path).length)
  const [open, setOpen] = useOpenItem(path)
  const problem = useProblem(path, field)

  function add(sort: NamedField) {
    const item = field.kind === 'list' ? { [sort.name]: newItem(sort) } : newItem(sort)
    store.set(path, [...itemsIn(store, path), item])
    setOpen(count)
  }

  return (
    <fieldset className={classes.items} id={elementId(path)} tabIndex={-1} aria-label={field.label}>
      <p className={classes.itemsHead}>
        {field.label} <span className={classes.help}>{count === 0 ? t('none') : t('count', { count })}</span>
      </p>
      {field.help && <p className={classes.help}>{field.help}</p>}
      {problem && <p className={classes.problem}>{problem}</p>}
      {count > 0 && (
        <ol className={classes.list}>
          {Array.from({ length: count }, (_, at) => (
            <Item
              // Items have no name of their own: their values are read from the store by their number.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={at}
              field={field}
              path={path}
              at={at}
              isLast={at === count - 1}
              isOpen={open === at}
              onOpen={setOpen}
            />
          ))}
        </ol>
      )}
      <div className={classes.adds}>
        {sortsOf(field).map((sort) => (
          <Button
            key={sort.name}
            variant="default"
            size="xs"
            className={classes.add!}
            leftSection={<Plus size={14} aria-hidden="true" />}
            onClick={() => add(sort)}
          >
            {t('add', { what: sort.label })}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

interface ItemProps {
  field: RepeatedField
  path: string
  at: number
  isLast: boolean
  isOpen: boolean
  onOpen: (at: number | undefined) => void
}

const Item = memo(function Item({ field, path, at, isLast, isOpen, onOpen }: ItemProps) {
  const { t } = useTranslation('credentials-editor')
  const { store } = useEditing()
  const own = `${path}.${at}`
  const summary = useOf(store, () => summaryOf(store.value(own)))
  const isWrong = useOf(store, ({ problems }) => [...problems.keys()].some((one) => isInside(one, plainPath(own))))
  const sort = useOf(store, () => Object.keys((store.value(own) ?? {}) as object)[0])
  const label = field.kind === 'list' ? sortsOf(field).find(({ name }) => name === sort)?.label : field.label
  const what = t('item', { what: label ?? field.label, number: at + 1 })
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const change = (items: readonly unknown[], open: number | undefined) => {
    store.set(path, items)
    onOpen(open)
  }
  const move = (by: -1 | 1) => change(moved(itemsIn(store, path), at, by), isOpen ? at + by : undefined)
  return (
    <li className={classes.item} data-wrong={isWrong} data-open={isOpen}>
      <div className={classes.itemHead}>
        <button
          type="button"
          className={classes.itemName}
          aria-expanded={isOpen}
          aria-label={`${t(isOpen ? 'close' : 'open', { what })} ${summary}`.trim()}
          onClick={() => onOpen(isOpen ? undefined : at)}
        >
          <Chevron size={16} aria-hidden="true" />
          <span className={classes.itemSort}>{what}</span>
          <span className={classes.itemText}>{summary}</span>
        </button>
        {at > 0 && <IconButton icon={ArrowUp} label={t('up', { what })} onClick={() => move(-1)} />}
        {!isLast && <IconButton icon={ArrowDown} label={t('down', { what })} onClick={() => move(1)} />}
        <IconButton
          icon={Trash2}
          label={t('remove', { what })}
          onClick={() =>
            change(
              itemsIn(store, path).filter((_, index) => index !== at),
              undefined,
            )
          }
        />
      </div>
      {isOpen && (
        <div className={classes.itemBody}>
          <ItemBody field={field} path={own} sort={sort} />
        </div>
      )}
    </li>
  )
})

const isInside = (path: string, part: string): boolean => path === part || path.startsWith(`${part}.`)

function ItemBody({ field, path, sort }: { field: RepeatedField; path: string; sort: string | undefined }) {
  const { Fields } = useEditing()
  if (field.kind === 'group') return <PartBody field={field} path={path} />
  if (field.kind === 'flag') return null
  const chosen = sortsOf(field).find(({ name }) => name === sort)
  if (chosen?.kind === 'group') return <PartBody field={chosen} path={`${path}.${chosen.name}`} />
  return <Fields fields={chosen ? [chosen] : []} path={path} />
}

/** Values that repeat: one input each. */
export function ValuesField({ field, path }: { field: ValueField; path: string }) {
  const { t } = useTranslation('credentials-editor')
  const { store } = useEditing()
  const count = useOf(store, () => itemsIn(store, path).length)
  const problem = useProblem(path, field)
  const remove = (at: number) =>
    store.set(
      path,
      itemsIn(store, path).filter((_, index) => index !== at),
    )
  return (
    <fieldset
      className={count === 0 ? classes.few : classes.items}
      id={elementId(path)}
      tabIndex={-1}
      aria-label={field.label}
    >
      {problem && <p className={classes.problem}>{problem}</p>}
      {Array.from({ length: count }, (_, at) => {
        const what = t('item', { what: field.label, number: at + 1 })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: values are read from the store by their number
          <div key={at} className={classes.values}>
            <ValueInput field={field} path={`${path}.${at}`} label={what} />
            <IconButton icon={Trash2} label={t('remove', { what })} onClick={() => remove(at)} />
          </div>
        )
      })}
      <Button
        variant="subtle"
        size="xs"
        className={classes.add!}
        leftSection={<Plus size={14} aria-hidden="true" />}
        onClick={() => store.set(path, [...itemsIn(store, path), ''])}
      >
        {t('add', { what: field.label })}
      </Button>
    </fieldset>
  )
}
