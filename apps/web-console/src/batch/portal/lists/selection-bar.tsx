import { Button } from '@mantine/core'
import { CheckCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatExactCentavos } from '../../../shared/format/format-brazilian.ts'
import type { PortalRow } from '../api/portal-types.ts'
import { sumOf } from '../approve/sum-of.ts'
import classes from './lists.module.css'

/** Most files the service approves in one call. */
const MOST_AT_ONCE = 200

/** What is selected, what it comes to, and the way to approve it. */
export function SelectionBar({ files, onApprove }: { files: readonly PortalRow[]; onApprove: () => void }) {
  const { t } = useTranslation('batch-portal')
  const isTooMany = files.length > MOST_AT_ONCE
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('select.label')}>
      <span className={classes.selected} aria-live="polite">
        {isTooMany ? t('select.most', { count: MOST_AT_ONCE }) : <Selected files={files} />}
      </span>
      <Button
        disabled={files.length === 0 || isTooMany}
        leftSection={<CheckCheck size={16} aria-hidden="true" />}
        onClick={onApprove}
      >
        {t('select.approve')}
      </Button>
    </div>
  )
}

function Selected({ files }: { files: readonly PortalRow[] }) {
  const { t } = useTranslation('batch-portal')
  const { centavos, without } = sumOf(files)
  if (files.length === 0) return t('select.none')
  return (
    <>
      {t('select.count', { count: files.length })}
      {without < files.length && <strong>{formatExactCentavos(centavos)}</strong>}
    </>
  )
}
