import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Paging } from '../../shared/parts/paging.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { auditFile, auditQuery, verifyAudit } from '../api/organization.ts'
import type { AuditEntry } from '../api/types.ts'
import { organizationTexts } from '../texts/organization-texts.ts'
import classes from './organization.module.css'

/** What was done in the organization, the latest first, and whether the record is intact. */
export function AuditPanel({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('documents-organization')
  // The cursor of each page that was left, so that one can go back.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  const query = useQuery(auditQuery(organizationId, cursors.at(-1)))
  return (
    <Panel title={t('audit.title')} lead={t('audit.lead')} actions={<Actions organizationId={organizationId} />}>
      <Queried query={query}>
        {({ items, nextCursor }) => (
          <>
            <Entries entries={items} />
            {(cursors.length > 1 || nextCursor) && (
              <Paging
                onPrevious={cursors.length > 1 ? () => setCursors(cursors.slice(0, -1)) : undefined}
                onNext={nextCursor ? () => setCursors([...cursors, nextCursor]) : undefined}
              >
                {items.length > 0 ? `${items.at(-1)!.number}–${items[0]!.number}` : ''}
              </Paging>
            )}
          </>
        )}
      </Queried>
    </Panel>
  )
}

type KnownKind = keyof (typeof organizationTexts)['en-US']['audit']['kind']

const isKnown = (kind: string): kind is KnownKind => Object.hasOwn(organizationTexts['en-US'].audit.kind, kind)

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation('documents-organization')
  const { dateAndTime } = useFormats()
  const columns: readonly Column<AuditEntry>[] = [
    { key: 'date', title: t('audit.columns.date'), isHeader: true, cell: ({ date }) => dateAndTime(date) },
    {
      key: 'what',
      title: t('audit.columns.what'),
      cell: (entry) => (
        <>
          {isKnown(entry.kind) ? t(`audit.kind.${entry.kind}`) : entry.kind}
          {entry.subject?.name && `: ${entry.subject.name}`}
          <Changes entry={entry} />
        </>
      ),
    },
    { key: 'who', title: t('audit.columns.who'), cell: ({ actor }) => actor.name ?? t('audit.somebody') },
    { key: 'from', title: t('audit.columns.from'), cell: ({ ipAddress }) => ipAddress },
  ]
  return (
    <DataTable caption={t('audit.title')} columns={columns} rows={entries} rowKey={({ number }) => String(number)} />
  )
}

/** What an act changed, as it was recorded. */
function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation('documents-organization')
  if (before === null && after === null) return null
  return (
    <details className={classes.changes}>
      <summary>{t('audit.changes')}</summary>
      {before !== null && (
        <p>
          {t('audit.before')}: <code>{JSON.stringify(before)}</code>
        </p>
      )}
      {after !== null && (
        <p>
          {t('audit.after')}: <code>{JSON.stringify(after)}</code>
        </p>
      )}
    </details>
  )
}

function Actions({ organizationId }: { organizationId: string }) {
  const { t, i18n } = useTranslation('documents-organization')
  return (
    <span className={classes.rowButtons}>
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button
          key={format}
          component="a"
          size="xs"
          variant="default"
          leftSection={<Download size={14} aria-hidden="true" />}
          href={auditFile(organizationId, format, i18n.language)}
          download
        >
          {t(`audit.exportAs.${format}`)}
        </Button>
      ))}
      <Verification organizationId={organizationId} />
    </span>
  )
}

function Verification({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('documents-organization')
  const [asked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...verifyAudit(organizationId), enabled: asked })
  const look = () => (asked ? void refetch() : setAsked(true))
  return (
    <span className={classes.rowButtons}>
      {error && <ProblemNote error={error} />}
      {data && (
        <span role="status">
          {data.isIntact
            ? t('audit.intact', { count: data.entries })
            : t('audit.broken', { number: data.brokenAt ?? 0 })}
        </span>
      )}
      <Button
        size="xs"
        variant="default"
        loading={isFetching}
        leftSection={<ShieldCheck size={14} aria-hidden="true" />}
        onClick={look}
      >
        {t('audit.verify')}
      </Button>
    </span>
  )
}
