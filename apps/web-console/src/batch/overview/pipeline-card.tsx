import { useTranslation } from 'react-i18next'
import { Figure } from '../../shared/parts/figures.tsx'
import { PipelineChip, PipelineSwitch } from '../system/pipeline-switch.tsx'
import classes from './overview.module.css'

/** Whether new work is picked up, and the switch that pauses it. */
export function PipelineCard({ paused, reason }: { paused: boolean; reason: string | null }) {
  const { t } = useTranslation('batch-overview')
  return (
    <Figure
      name={t('pipeline.title')}
      alarming={paused}
      wide
      hint={
        reason && paused ? t('pipeline.reason', { reason }) : t(paused ? 'pipeline.pausedText' : 'pipeline.runningText')
      }
    >
      <div className={classes.pipelineRow}>
        <PipelineChip paused={paused} />
        <PipelineSwitch paused={paused} />
      </div>
    </Figure>
  )
}
