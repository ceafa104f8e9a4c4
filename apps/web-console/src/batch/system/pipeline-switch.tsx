import { Button } from '@mantine/core'
import { CircleCheck, CirclePause, Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../shared/parts/chip.tsx'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { pausePipeline, resumePipeline } from '../api/actions.ts'

/** Whether the pipeline runs. */
export function PipelineChip({ paused }: { paused: boolean }) {
  const { t } = useTranslation('batch-overview')
  return paused ? (
    <Chip icon={CirclePause} tone="warning">
      {t('pipeline.paused')}
    </Chip>
  ) : (
    <Chip icon={CircleCheck} tone="good">
      {t('pipeline.running')}
    </Chip>
  )
}

/** Pauses or resumes, with a reason for the event log. */
export function PipelineSwitch({ paused }: { paused: boolean }) {
  const { t } = useTranslation('batch-overview')
  const [asking, setAsking] = useState<'pause' | 'resume'>()
  const pause = useAction(pausePipeline, () => t('pipeline.nowPaused'))
  const resume = useAction(resumePipeline, () => t('pipeline.nowRunning'))
  const Icon = paused ? Play : Pause
  return (
    <>
      <Button
        variant={paused ? 'filled' : 'default'}
        size="xs"
        leftSection={<Icon size={14} aria-hidden="true" />}
        onClick={() => setAsking(paused ? 'resume' : 'pause')}
      >
        {t(paused ? 'pipeline.resume' : 'pipeline.pause')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t(`pipeline.${asking}Title`)}
          confirm={t(`pipeline.${asking}`)}
          withReason
          onConfirm={asking === 'pause' ? pause.attempt : resume.attempt}
          onClose={() => setAsking(undefined)}
        >
          {t(`pipeline.${asking}Text`)}
        </ConfirmDialog>
      )}
    </>
  )
}
