import { useTranslation } from 'react-i18next'
import { formatExactCentavos } from '../../../shared/format/format-brazilian.ts'
import { useFormats } from '../../../shared/format/use-formats.ts'
import { Facts } from '../../../shared/parts/facts.tsx'
import { visibleName } from '../../parts/visible-name.ts'
import type { PortalRow } from '../api/portal-types.ts'
import classes from './approve.module.css'
import { sumOf } from './sum-of.ts'

/** What is about to be approved, in figures and by name. */
export function Totals({ files, signed }: { files: readonly PortalRow[]; signed: number }) {
  const { t } = useTranslation('batch-portal')
  const { count } = useFormats()
  const { centavos, without } = sumOf(files)
  const isOne = files.length === 1
  return (
    <div className={classes.totals}>
      {isOne ? <p className={classes.name}>{visibleName(files[0]!.fileName)}</p> : null}
      <Facts
        dense
        rows={[
          [t('approve.files'), isOne ? undefined : <strong key="files">{count(files.length)}</strong>],
          [
            isOne ? t('columns.total') : t('approve.sum'),
            without < files.length ? <strong key="sum">{formatExactCentavos(centavos)}</strong> : undefined,
          ],
          [t('columns.payments'), paymentsOf(files, count)],
        ]}
      />
      {!isOne && without > 0 && <p>{t('approve.withoutFigures', { count: without })}</p>}
      {signed > 0 && <p>{isOne ? t('approve.oneSigned') : t('approve.signed', { count: signed })}</p>}
      {!isOne && (
        <details>
          <summary>{t('approve.names')}</summary>
          <ul className={classes.names}>
            {files.map(({ jobId, fileName, totalFormatted }) => (
              <li key={jobId}>
                <span>{visibleName(fileName)}</span>
                <span className={classes.amount}>{totalFormatted ?? t('noFigures')}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p className={classes.quiet}>{t('approve.final')}</p>
    </div>
  )
}

function paymentsOf(files: readonly PortalRow[], count: (value: number) => string): string | undefined {
  const counts = files.map(({ paymentCount }) => paymentCount).filter((one) => one !== null)
  return counts.length === 0 ? undefined : count(counts.reduce((sum, one) => sum + one, 0))
}
