import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { eventsQuery, eventTypes } from '../api/events.ts'
import type { AuditEvent } from '../api/types.ts'
import { FilterForm } from '../parts/filter-form.tsx'
import { MoreButton } from '../parts/more-button.tsx'
import { Nothing } from '../parts/nothing.tsx'
import { type EventFilters, eventFiltersFrom } from './event-filters.ts'

/** What administrators did. */
export function EventsPage() {
  const { t } = useTranslation('sessions-events')
  const filters = useSearch({ from: '/shell/events' })
  const query = useInfiniteQuery(eventsQuery(filters))
  const events = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <Filters filters={filters} />
      <Queried query={query} lines={8}>
        {() =>
          events.length === 0 ? (
            <Nothing
              icon={ScrollText}
              title={t('empty')}
              text={t('emptyText')}
              narrowed={Object.keys(filters).length > 0}
            />
          ) : (
            <EventsTable events={events} />
          )
        }
      </Queried>
      <MoreButton query={query} />
    </>
  )
}

function Filters({ filters }: { filters: EventFilters }) {
  const { t } = useTranslation(['sessions-events', 'sessions'])
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/events', search: eventFiltersFrom(typed) })}
    >
      <NativeSelect
        name="type"
        label={t('type')}
        defaultValue={filters.type ?? ''}
        data={[
          { value: '', label: t('sessions:any') },
          ...eventTypes.map((value) => ({ value, label: t(`types.${value}`) })),
        ]}
      />
      <TextInput name="q" type="search" maxLength={200} label={t('q')} defaultValue={filters.q ?? ''} />
    </FilterForm>
  )
}

/** Events with a name in the visitor's language and the sentence as the service wrote it, in English. */
function EventsTable({ events }: { events: readonly AuditEvent[] }) {
  const { t } = useTranslation('sessions-events')
  const { dateAndTime } = useFormats()
  const columns: readonly Column<AuditEvent>[] = [
    { key: 'type', title: t('columns.type'), isHeader: true, cell: ({ type }) => <TypeText type={type} /> },
    { key: 'text', title: t('columns.text'), cell: ({ text }) => <span lang="en">{text}</span> },
    { key: 'actor', title: t('columns.actor'), cell: ({ actor }) => <ActorText actor={actor} /> },
    { key: 'time', title: t('columns.time'), cell: ({ at }) => dateAndTime(at) },
  ]
  return <DataTable caption={t('caption')} columns={columns} rows={events} rowKey={({ id }) => id} />
}

/** One of a version newer than this page keeps its own name. */
function TypeText({ type }: { type: string }) {
  const { t } = useTranslation('sessions-events')
  const known = eventTypes.find((one) => one === type)
  return known ? t(`types.${known}`) : type
}

/** Administrators act by their address; else it was somebody at the machine, or a part of the server by itself. */
function ActorText({ actor }: { actor: string }) {
  const { t } = useTranslation('sessions-events')
  if (actor.includes('@')) return actor
  return actor === 'operator' ? t('operator') : t('server')
}
