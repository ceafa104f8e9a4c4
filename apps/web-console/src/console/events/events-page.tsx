import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { type EventFilters, eventsQuery } from '../api/events.ts'
import type { AuditEvent } from '../api/types.ts'
import { FilterForm } from '../parts/filter-form.tsx'
import { May } from '../parts/may.tsx'
import { MoreButton } from '../parts/more-button.tsx'
import { Nothing } from '../parts/nothing.tsx'
import parts from '../parts/parts.module.css'
import { type EventKinds, eventFiltersOf, kindsIn } from './event-filters.ts'

/** What administrators did. */
export function EventsPage({ kinds }: { kinds: EventKinds }) {
  const { t } = useTranslation('console-events')
  const filters = useSearch({ from: '/shell/events' })
  const { language } = useLanguage()
  const query = useInfiniteQuery(eventsQuery(filters, language))
  const events = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <Downloads />
      </PageHead>
      <Filters filters={filters} kinds={kinds} />
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
            <EventsTable events={events} kinds={kinds} />
          )
        }
      </Queried>
      <MoreButton query={query} />
    </>
  )
}

function Filters({ filters, kinds }: { filters: EventFilters; kinds: EventKinds }) {
  const { t } = useTranslation(['console-events', 'console'])
  const { language } = useLanguage()
  const navigate = useNavigate()
  return (
    <FilterForm
      label={t('filters')}
      filters={filters}
      onSearch={(typed) => void navigate({ to: '/events', search: eventFiltersOf(kinds)(typed) })}
    >
      <NativeSelect
        name="type"
        label={t('type')}
        defaultValue={filters.type ?? ''}
        data={[
          { value: '', label: t('console:any') },
          ...kindsIn(kinds).map((value) => ({ value, label: kinds[language][value]! })),
        ]}
      />
      <TextInput name="q" type="search" maxLength={200} label={t('q')} defaultValue={filters.q ?? ''} />
    </FilterForm>
  )
}

/**
 * Events with a label and a sentence in the visitor's language; an event newer than this page keeps its own name, and one
 * that another version recorded its English sentence.
 */
function EventsTable({ events, kinds }: { events: readonly AuditEvent[]; kinds: EventKinds }) {
  const { t } = useTranslation('console-events')
  const { language } = useLanguage()
  const { dateAndTime } = useFormats()
  const columns: readonly Column<AuditEvent>[] = [
    { key: 'type', title: t('columns.type'), isHeader: true, cell: ({ type }) => kinds[language][type] ?? type },
    {
      key: 'text',
      title: t('columns.text'),
      cell: ({ text, textLanguage }) => <span lang={textLanguage}>{text}</span>,
    },
    { key: 'subject', title: t('columns.subject'), cell: ({ subject }) => <SubjectText subject={subject} /> },
    {
      key: 'actor',
      title: t('columns.actor'),
      cell: ({ actor, address }) => (
        <span className={parts.stack}>
          <span>
            <ActorText actor={actor} />
          </span>
          {address !== null && <span className={parts.small}>{t('from', { address })}</span>}
        </span>
      ),
    },
    { key: 'time', title: t('columns.time'), cell: ({ at }) => dateAndTime(at) },
  ]
  return <DataTable caption={t('caption')} columns={columns} rows={events} rowKey={({ id }) => id} />
}

/** Whom or what an event is about: a holder as CPFs are printed, anything else by the id that finds its other events. */
function SubjectText({ subject }: Pick<AuditEvent, 'subject'>) {
  if (subject === null) return '–'
  if (subject.kind === 'cpf') return <span className={parts.nowrap}>{formatTaxId(subject.id)}</span>
  return <code className={parts.id}>{subject.id}</code>
}

/** Files of all events, for auditors; the export is an event itself. */
function Downloads() {
  const { t } = useTranslation('console-events')
  const { language } = useLanguage()
  return (
    <May right="events.export">
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button
          key={format}
          component="a"
          href={`/api/events/export.${format}?language=${language}`}
          download
          variant="default"
          size="xs"
          leftSection={<Download size={14} aria-hidden="true" />}
        >
          {t(`download.${format}`)}
        </Button>
      ))}
    </May>
  )
}

/** What an application did by its key is under its name. */
const BY_KEY = 'application:'

/** An administrator's actor is the e-mail address; any other is the operator on the machine, an agent, or the server. */
function ActorText({ actor }: { actor: string }) {
  const { t } = useTranslation('console-events')
  if (actor.startsWith(BY_KEY)) return t('application', { name: actor.slice(BY_KEY.length) })
  if (actor.includes('@')) return actor
  return t(actor === 'operator' || actor === 'agent' ? actor : 'server')
}
