import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { timelineQuery } from '../api/documents.ts'
import type { TimelineEntry } from '../api/types.ts'
import { documentTexts } from '../texts/document-texts.ts'
import classes from './document.module.css'
import { type Told, tellEntry } from './timeline-entry.ts'

type KnownType = keyof (typeof documentTexts)['en-US']['timeline']['type']

/** What happened to the document, the newest last. */
export function TimelinePanel({ documentId }: { documentId: string }) {
  const { t } = useTranslation('documents-document')
  const query = useQuery(timelineQuery(documentId))
  return (
    <Panel title={t('timeline.title')}>
      <Queried query={query}>
        {(entries) => (
          <ol className={classes.timeline}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </Queried>
    </Panel>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { t } = useTranslation('documents-document')
  const { dateAndTime } = useFormats()
  const { type } = entry
  const isKnown = Object.hasOwn(documentTexts['en-US'].timeline.type, type)
  const { detail, ...who } = tellEntry(entry)
  return (
    <li className={classes.entry}>
      <span className={classes.entryType}>{isKnown ? t(`timeline.type.${type as KnownType}`) : type}</span>
      <Who type={type} {...who} />
      <span className={classes.entryDate}>{dateAndTime(entry.date)}</span>
      {detail && <span className={classes.entryDetail}>{detail}</span>}
    </li>
  )
}

/** By whom, and for whom where that is somebody else. */
function Who({ type, by: name, participant }: Pick<Told, 'by' | 'participant'> & { type: string }) {
  const { t } = useTranslation('documents-document')
  if (name === undefined) return null
  if (participant === undefined) return <span> {t('timeline.by', { name })}</span>
  return <span> {t(`timeline.${sentences[type] ?? 'byFor'}`, { name, participant })}</span>
}

const sentences: Readonly<Record<string, 'addressOf' | 'revokedOf'>> = {
  ActionUrlCreated: 'addressOf',
  ActionUrlRevoked: 'revokedOf',
}
