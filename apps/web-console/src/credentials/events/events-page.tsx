import { NativeSelect } from '@mantine/core'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { Column } from '../../shared/parts/data-table.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import type { EntityEvent } from '../api/types.ts'
import { useListSearch } from '../parts/list-search.ts'
import { ListView } from '../parts/list-view.tsx'
import classes from '../parts/parts.module.css'
import { eventsTexts } from '../texts/events-texts.ts'
import { useEventWords } from './use-event-words.ts'

const entities = Object.keys(eventsTexts['en-US'].entity)

/** What was done in the organization, the newest first. */
export function EventsPage() {
  const { t } = useTranslation('credentials-events')
  const { dateAndTime } = useFormats()
  const words = useEventWords()
  const columns: readonly Column<EntityEvent>[] = [
    { key: 'date', title: t('columns.date'), isHeader: true, cell: ({ date }) => dateAndTime(date) },
    {
      key: 'what',
      title: t('columns.what'),
      cell: (event) => (
        <>
          {words.type(event.type)}
          <Details event={event} />
        </>
      ),
    },
    { key: 'entity', title: t('columns.entity'), cell: ({ entityType }) => words.entity(entityType) },
    { key: 'who', title: t('columns.who'), cell: ({ actor }) => `${actor.name} (${words.actor(actor.type)})` },
  ]
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <ListView
        resource="events"
        caption={t('title')}
        columns={columns}
        hasText={false}
        filters={<EntityFilter />}
        empty={{ icon: History, title: t('empty'), text: t('emptyText') }}
      />
    </>
  )
}

function EntityFilter() {
  const { t } = useTranslation('credentials-events')
  const { search } = useListSearch()
  const words = useEventWords()
  return (
    <NativeSelect
      name="entityTypes"
      label={t('columns.entity')}
      defaultValue={search.entityTypes ?? ''}
      data={[{ value: '', label: t('anyEntity') }, ...entities.map((value) => ({ value, label: words.entity(value) }))]}
    />
  )
}

/** What was recorded with an event, as it was recorded. */
function Details({ event: { data, entityId, address, changes } }: { event: EntityEvent }) {
  const { t } = useTranslation('credentials-events')
  return (
    <details className={classes.details}>
      <summary>{t('details')}</summary>
      <p>
        {t('id')}: <code>{entityId}</code>
      </p>
      {address !== null && (
        <p>
          {t('address')}: <code>{address}</code>
        </p>
      )}
      {data !== null && (
        <p>
          <code>{JSON.stringify(data)}</code>
        </p>
      )}
      {changes !== null &&
        (['before', 'after'] as const).map((when) => (
          <p key={when}>
            {t(when)}: <code>{JSON.stringify(changes[when])}</code>
          </p>
        ))}
    </details>
  )
}
