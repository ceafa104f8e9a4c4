import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { timelineQuery } from '../api/documents.ts'
import type { TimelineEntry } from '../api/types.ts'
import { documentTexts } from '../texts/document-texts.ts'
import classes from './document.module.css'

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

function Entry({ entry: { type, date, agent, detail } }: { entry: TimelineEntry }) {
  const { t } = useTranslation('documents-document')
  const { dateAndTime } = useFormats()
  const isKnown = Object.hasOwn(documentTexts['en-US'].timeline.type, type)
  return (
    <li className={classes.entry}>
      <span className={classes.entryType}>{isKnown ? t(`timeline.type.${type as KnownType}`) : type}</span>
      {agent && <span> {t('timeline.by', { name: agent.name })}</span>}
      <span className={classes.entryDate}>{dateAndTime(date)}</span>
      {detail && <span className={classes.entryDetail}>{detail}</span>}
    </li>
  )
}
