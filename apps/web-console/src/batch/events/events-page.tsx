import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FilterX, ScrollText } from 'lucide-react'
import { Fragment, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { eventsQuery, eventTypesQuery } from '../api/queries.ts'
import type { OperationalEvent } from '../api/types.ts'
import { Paging } from '../parts/paging.tsx'
import { type EventFilters, eventsQueryString } from './event-filters.ts'
import classes from './events.module.css'

/** The operational event log. */
export function EventsPage() {
  const { t } = useTranslation('batch-events')
  const filters = useSearch({ from: '/shell/events' })
  const navigate = useNavigate()
  const setFilters = (next: EventFilters) => void navigate({ to: '/events', search: next })
  const events = useQuery(eventsQuery(eventsQueryString(filters)))
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <Filters filters={filters} onChange={setFilters} />
      <Panel title={t('list')}>
        <Queried query={events} lines={10}>
          {(page) =>
            page.items.length === 0 ? (
              <PageState icon={ScrollText} title={t('none')}>
                {t('noneText')}
              </PageState>
            ) : (
              <>
                <EventTable events={page.items} />
                <Paging {...page} onPage={(next) => setFilters({ ...filters, page: next })} />
              </>
            )
          }
        </Queried>
      </Panel>
    </>
  )
}

function EventTable({ events }: { events: readonly OperationalEvent[] }) {
  const { t } = useTranslation('batch-events')
  const { dateAndTime } = useFormats()
  const columns: Column<OperationalEvent>[] = [
    { key: 'time', title: t('columns.time'), cell: ({ timestamp }) => dateAndTime(timestamp) },
    { key: 'type', title: t('columns.type'), cell: ({ eventType }) => <TypeChip name={eventType} /> },
    {
      key: 'message',
      title: t('columns.message'),
      cell: ({ message, code }) => (
        <>
          {message} {code && <code className={classes.code}>{code}</code>}
        </>
      ),
    },
    { key: 'actor', title: t('columns.actor'), cell: (event) => <Who event={event} /> },
  ]
  return <DataTable caption={t('list')} columns={columns} rows={events} rowKey={({ id }) => id} />
}

function Who({ event: { actor, address } }: { event: OperationalEvent }) {
  return (
    <>
      {actor}
      {address && <span className={classes.address}>{address}</span>}
    </>
  )
}

/** A camel-case name that may wrap between its words. */
function TypeChip({ name }: { name: string }) {
  return (
    <Chip tone="plain">
      <span>
        {name.split(/(?=[A-Z])/).map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word may come twice, and the words never change
          <Fragment key={index}>
            {word}
            <wbr />
          </Fragment>
        ))}
      </span>
    </Chip>
  )
}

/** Requests are sent only after typing has paused. */
const TYPING_MS = 300

function Filters({ filters, onChange }: { filters: EventFilters; onChange: (filters: EventFilters) => void }) {
  const { t } = useTranslation('batch-events')
  const change = (name: keyof EventFilters, value: string | readonly string[]) => {
    const { page: _, [name]: __, ...rest } = filters
    onChange(value.length === 0 ? rest : { ...rest, [name]: value })
  }
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <TextFilter value={filters.contains ?? ''} onChange={(value) => change('contains', value)} />
      <TextInput
        label={t('from')}
        type="date"
        value={filters.from ?? ''}
        onChange={(event) => change('from', event.currentTarget.value)}
      />
      <TextInput
        label={t('to')}
        type="date"
        value={filters.to ?? ''}
        onChange={(event) => change('to', event.currentTarget.value)}
      />
      <Button
        className={classes.clear!}
        variant="subtle"
        disabled={Object.keys(filters).length === 0}
        leftSection={<FilterX size={16} aria-hidden="true" />}
        onClick={() => onChange({})}
      >
        {t('clear')}
      </Button>
      <TypeFilter chosen={filters.type ?? []} onChange={(value) => change('type', value)} />
    </search>
  )
}

function TextFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('batch-events')
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const settle = useDebouncedCallback(onChange, TYPING_MS)
  return (
    <TextInput
      label={t('contains')}
      type="search"
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        settle(event.currentTarget.value)
      }}
    />
  )
}

function TypeFilter({ chosen, onChange }: { chosen: readonly string[]; onChange: (types: readonly string[]) => void }) {
  const { t } = useTranslation('batch-events')
  const { data: types = [] } = useQuery(eventTypesQuery)
  const offered = [...new Set([...types, ...chosen])].sort()
  if (offered.length === 0) return null
  return (
    <details className={classes.types} open={chosen.length > 0}>
      <summary>{chosen.length === 0 ? t('types') : t('typesChosen', { count: chosen.length })}</summary>
      <fieldset className={classes.typeList}>
        <legend className={classes.legend}>{t('types')}</legend>
        {offered.map((type) => (
          <Checkbox
            key={type}
            size="xs"
            label={type}
            checked={chosen.includes(type)}
            onChange={() => onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])}
          />
        ))}
      </fieldset>
    </details>
  )
}
