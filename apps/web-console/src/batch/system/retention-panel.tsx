import { Button } from '@mantine/core'
import { Brush } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { runCleanup } from '../api/actions.ts'
import type { CleanupResult } from '../api/types.ts'

interface RetentionSettings {
  readonly Enabled?: boolean
  readonly RetentionDays?: number
  readonly CleanupIntervalHours?: number
}

const results = [
  'jobsDeleted',
  'outputFilesDeleted',
  'errorFilesDeleted',
  'operationalEventsDeleted',
  'filesMissing',
  'errors',
] as const satisfies readonly (keyof CleanupResult)[]

/** How long ended jobs are kept, and a manual cleanup with its result. */
export function RetentionPanel({ settings }: { settings: unknown }) {
  const { t } = useTranslation('batch-system')
  const { count } = useFormats()
  const [asking, setAsking] = useState(false)
  const [result, setResult] = useState<CleanupResult>()
  const cleanup = useAction(runCleanup, ({ jobsDeleted }) => t('retention.done', { count: jobsDeleted }))
  const { Enabled, RetentionDays = 0, CleanupIntervalHours = 0 } = retentionIn(settings)
  return (
    <Panel
      title={t('retention.title')}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<Brush size={14} aria-hidden="true" />}
          onClick={() => setAsking(true)}
        >
          {t('retention.run')}
        </Button>
      }
    >
      <Facts
        dense
        rows={[
          [
            t('retention.automatic'),
            Enabled ? t('retention.every', { count: CleanupIntervalHours }) : t('retention.off'),
          ],
          [t('retention.kept'), t('retention.days', { count: RetentionDays })],
        ]}
      />
      {result && <Facts dense rows={results.map((key) => [t(`retention.${key}`), count(result[key])])} />}
      {asking && (
        <ConfirmDialog
          title={t('retention.runTitle')}
          confirm={t('retention.run')}
          danger
          onConfirm={async () => setResult(await cleanup.attempt(undefined))}
          onClose={() => setAsking(false)}
        >
          {t('retention.runText', { count: RetentionDays })}
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** The settings are shown unparsed, because they differ between versions; only these are read. */
const retentionIn = (settings: unknown): RetentionSettings =>
  (settings as { Retention?: RetentionSettings } | null)?.Retention ?? {}
