import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { Language } from '../../shared/i18n/languages.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { listQuery, MOST_CHOICES } from '../api/lists.ts'
import type { EntityEvent } from '../api/types.ts'
import { useEventWords } from '../events/use-event-words.ts'
import classes from './items.module.css'

/** What happened to a document, the newest first. */
export function TimelinePanel({ entityId }: { entityId: string }) {
  const { t } = useTranslation('credentials-items')
  const query = useQuery(listQuery<EntityEvent>('events', { entityId, pageSize: MOST_CHOICES }))
  return (
    <Panel title={t('timeline')}>
      <Queried query={query}>
        {({ items }) => (
          <ol className={classes.timeline}>
            {items.map((event) => (
              <Entry key={event.id} event={event} />
            ))}
          </ol>
        )}
      </Queried>
    </Panel>
  )
}

/** A reason that somebody gave, or one of the service in both languages. */
interface Reasoned {
  readonly reason?: string
  readonly reasonMessages?: Readonly<Record<Language, string>>
}

function Entry({ event: { type, date, actor, data } }: { event: EntityEvent }) {
  const { dateAndTime } = useFormats()
  const words = useEventWords()
  const { language } = useLanguage()
  const { reason, reasonMessages } = (data ?? {}) as Reasoned
  return (
    <li className={classes.entry}>
      <span className={classes.entryType}>{words.type(type)}</span>
      <span className={classes.entryDetail}>{`${dateAndTime(date)} · ${actor.name}`}</span>
      {reason && <span className={classes.entryDetail}>{reasonMessages?.[language] ?? reason}</span>}
    </li>
  )
}
