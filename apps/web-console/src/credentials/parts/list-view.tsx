import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FilterX, type LucideIcon, Search, SearchX } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Paging } from '../../shared/parts/paging.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { listQuery } from '../api/lists.ts'
import type { Page } from '../api/types.ts'
import { isNarrowed, type ListSearch, listSearchFrom, useListSearch } from './list-search.ts'
import classes from './parts.module.css'

export interface ListViewProps<Item> {
  /** As in the path of the API. */
  resource: string
  /** Names the table. */
  caption: string
  columns: readonly Column<Item>[]
  /** What stands there while there is nothing at all. */
  empty: { icon: LucideIcon; title: string; text: string; action?: ReactNode }
  /** Filters besides the text. */
  filters?: ReactNode
  /** Whether the list can be searched by a text. */
  hasText?: boolean
}

/** A list of the API by what the URL says: filters, table, pages. */
export function ListView<Item extends { readonly id: string }>(props: ListViewProps<Item>) {
  const { resource, caption, columns, empty, filters, hasText = true } = props
  const { search, change } = useListSearch()
  const query = useQuery(listQuery<Item>(resource, { ...search }))
  return (
    <>
      {(hasText || filters) && (
        <Filters label={caption} search={search} hasText={hasText} onChange={change}>
          {filters}
        </Filters>
      )}
      <Queried query={query}>
        {(page) =>
          page.items.length === 0 ? (
            <Nothing narrowed={isNarrowed(search)} empty={empty} />
          ) : (
            <>
              <DataTable caption={caption} columns={columns} rows={page.items} rowKey={({ id }) => id} />
              <Pages page={page} search={search} onChange={change} />
            </>
          )
        }
      </Queried>
    </>
  )
}

interface FiltersProps {
  label: string
  search: ListSearch
  hasText: boolean
  children: ReactNode
  onChange: (search: ListSearch) => void
}

/** Applied on submit. */
function Filters({ label, search, hasText, children, onChange }: FiltersProps) {
  const { t } = useTranslation('credentials')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onChange(listSearchFrom(Object.fromEntries(new FormData(event.currentTarget))))
  }

  return (
    // A new form per URL: uncontrolled fields would keep what was typed before.
    <form key={JSON.stringify(search)} className={classes.filters} onSubmit={submit} aria-label={label}>
      {hasText && <TextInput name="q" type="search" label={t('searchText')} defaultValue={search.q ?? ''} />}
      {children}
      <div className={classes.filterButtons}>
        <Button type="submit" variant="default" leftSection={<Search size={16} aria-hidden="true" />}>
          {t('search')}
        </Button>
        {isNarrowed(search) && (
          <Button variant="subtle" leftSection={<FilterX size={16} aria-hidden="true" />} onClick={() => onChange({})}>
            {t('clear')}
          </Button>
        )}
      </div>
    </form>
  )
}

function Nothing({ narrowed, empty }: { narrowed: boolean; empty: ListViewProps<never>['empty'] }) {
  const { t } = useTranslation('credentials')
  if (narrowed)
    return (
      <PageState icon={SearchX} title={t('noneFound')}>
        {t('noneFoundText')}
      </PageState>
    )
  return (
    <PageState icon={empty.icon} title={empty.title} action={empty.action}>
      {empty.text}
    </PageState>
  )
}

interface PagesProps {
  page: Page<unknown>
  search: ListSearch
  onChange: (search: ListSearch) => void
}

/** Previous and next; a list with more than are counted has no total, and a full page may have a next one. */
function Pages({ page: { items, page, pageSize, totalCount }, search: { page: _, ...others }, onChange }: PagesProps) {
  const { t } = useTranslation('credentials')
  const { count } = useFormats()
  const to = (page - 1) * pageSize + items.length
  const hasNext = totalCount === null || totalCount === undefined ? items.length === pageSize : to < totalCount
  if (page === 1 && !hasNext) return null
  const range = { from: count((page - 1) * pageSize + 1), to: count(to) }
  const turn = (next: number) => () => onChange({ ...others, ...(next > 1 && { page: next }) })
  return (
    <Paging onPrevious={page > 1 ? turn(page - 1) : undefined} onNext={hasNext ? turn(page + 1) : undefined}>
      {totalCount ? t('rangeOf', { ...range, total: count(totalCount) }) : t('range', range)}
    </Paging>
  )
}
