import { CircleX, LogIn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import parts from '../../console/parts/parts.module.css'
import { useCodeText } from '../../shared/bundle.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import type { HistoryEntry } from '../api/types.ts'
import { CpfText } from '../parts/cpf-text.tsx'
import type { historyTexts } from '../texts/history-texts.ts'

/** Those that this page has words for. */
type KnownEnd = keyof (typeof historyTexts)['en-US']['ends']

/** Sessions and refused attempts in one list, newest first. */
export function HistoryTable({ entries }: { entries: readonly HistoryEntry[] }) {
  const { t } = useTranslation(['sessions-history', 'sessions'])
  const { dateAndTime, count } = useFormats()
  const columns: readonly Column<HistoryEntry>[] = [
    {
      key: 'holder',
      title: t('columns.holder'),
      isHeader: true,
      cell: ({ session, cpf }) => (
        <span className={parts.stack}>
          {session && <span>{session.subjectName}</span>}
          <span className={session ? parts.small : undefined}>
            <CpfText cpf={cpf} />
          </span>
        </span>
      ),
    },
    {
      key: 'what',
      title: t('kind'),
      cell: ({ kind }) => (
        <Chip icon={kind === 'session' ? LogIn : CircleX} tone={kind === 'session' ? 'good' : 'bad'}>
          {t(`kindOf.${kind}`)}
        </Chip>
      ),
    },
    { key: 'at', title: t('columns.at'), cell: ({ at }) => dateAndTime(at) },
    {
      key: 'application',
      title: t('columns.application'),
      cell: ({ application, address }) => (
        <span className={parts.stack}>
          <span>{application || '–'}</span>
          {address !== null && <span className={parts.small}>{t('fromAddress', { address })}</span>}
        </span>
      ),
    },
    {
      key: 'where',
      title: t('columns.where'),
      cell: ({ session }) =>
        session ? (
          <span className={parts.stack}>
            <span>{t(`sessions:custody.${session.custody}`)}</span>
            {session.workstation && <span className={parts.small}>{session.workstation}</span>}
          </span>
        ) : (
          '–'
        ),
    },
    { key: 'outcome', title: t('columns.outcome'), cell: (entry) => <Outcome entry={entry} /> },
    {
      key: 'calls',
      title: t('columns.calls'),
      numeric: true,
      cell: ({ session }) => (session ? count(session.signatures) : '–'),
    },
  ]
  return <DataTable caption={t('caption')} columns={columns} rows={entries} rowKey={({ id }) => id} />
}

/** Why a session ended and when, or why there is none; a reason newer than this page keeps its own name. */
function Outcome({ entry: { session, code } }: { entry: HistoryEntry }) {
  const { t } = useTranslation('sessions-history')
  const { explain } = useCodeText()
  const { dateAndTime } = useFormats()
  if (session === null) return <span>{explain(code ?? '', code ?? '')}</span>
  if (session.endedAt === null) return <span>{t('live')}</span>
  return (
    <span className={parts.stack}>
      <span>{t(`ends.${session.endReason as KnownEnd}`, { defaultValue: session.endReason ?? '' })}</span>
      <span className={parts.small}>{dateAndTime(session.endedAt)}</span>
    </span>
  )
}
