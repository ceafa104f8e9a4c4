import { useTranslation } from 'react-i18next'
import parts from '../../console/parts/parts.module.css'
import { useCodeText } from '../../shared/bundle.ts'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import type { SessionUse } from '../api/types.ts'
import { OutcomeChip } from '../parts/chips.tsx'
import { HolderText } from '../parts/holder-text.tsx'

export function UsesTable({ uses }: { uses: readonly SessionUse[] }) {
  const { t } = useTranslation(['hub-activity', 'hub'])
  const { explain } = useCodeText()
  const { dateAndTime, duration } = useFormats()
  const columns: readonly Column<SessionUse>[] = [
    {
      key: 'action',
      title: t('uses.columns.action'),
      isHeader: true,
      cell: ({ action, hashes, digestAlgorithm }) => (
        <span className={parts.stack}>
          <span>{t(`hub:useAction.${action}`)}</span>
          {hashes > 0 && (
            <span className={parts.small}>
              {[t('uses.hashes', { count: hashes }), digestAlgorithm].filter(Boolean).join(', ')}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'outcome',
      title: t('uses.columns.outcome'),
      cell: ({ outcome }) => (
        <span className={parts.stack}>
          <OutcomeChip outcome={outcome} />
          {outcome !== 'ok' && <span className={parts.small}>{explain(outcome, outcome)}</span>}
        </span>
      ),
    },
    {
      key: 'provider',
      title: t('uses.columns.provider'),
      cell: ({ provider, alias }) => (
        <span className={parts.stack}>
          <span>{provider.name || t('gone')}</span>
          {alias && <span className={parts.small}>{alias}</span>}
        </span>
      ),
    },
    { key: 'holder', title: t('uses.columns.holder'), cell: (use) => <HolderText of={use} /> },
    {
      key: 'application',
      title: t('uses.columns.application'),
      cell: ({ application }) => application.name || t('gone'),
    },
    { key: 'at', title: t('uses.columns.at'), cell: ({ at }) => dateAndTime(at) },
    {
      key: 'took',
      title: t('uses.columns.took'),
      numeric: true,
      cell: ({ milliseconds }) => (milliseconds === null ? '–' : duration(milliseconds)),
    },
    {
      key: 'request',
      title: t('uses.columns.request'),
      cell: ({ correlationId }) =>
        correlationId ? <CopyButton text={correlationId} what={t('uses.requestId')} /> : '–',
    },
  ]
  return <DataTable caption={t('uses.title')} columns={columns} rows={uses} rowKey={({ id }) => id} />
}
