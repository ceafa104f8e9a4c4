import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import type { FormatCounts } from '../api/types.ts'
import classes from './overview.module.css'

const formats = [
  ['pades', 'Pades'],
  ['cades', 'Cades'],
  ['xades', 'Xades'],
] as const

/** What is being signed, by format. */
export function FormatPanel({ counts }: { counts: FormatCounts }) {
  const { t } = useTranslation(['batch-overview', 'batch'])
  const { count } = useFormats()
  return (
    <Panel title={t('batch-overview:byFormat.title')}>
      <ul className={classes.shares}>
        {formats.map(([key, name]) => (
          <li key={key} className={classes.share}>
            <span>{t(`batch:format.${name}`)}</span>
            <span className={classes.shareTrack} aria-hidden="true">
              <span style={{ width: `${counts.total === 0 ? 0 : (100 * counts[key]) / counts.total}%` }} />
            </span>
            <span className={classes.shareValue}>{count(counts[key])}</span>
          </li>
        ))}
      </ul>
      {counts.total === 0 && <p className={classes.cardHint}>{t('batch-overview:byFormat.none')}</p>}
    </Panel>
  )
}
