import { useTranslation } from 'react-i18next'
import { PipelineChip, PipelineSwitch } from '../system/pipeline-switch.tsx'
import classes from './overview.module.css'

/** Whether new work is picked up, and the switch for it. */
export function PipelineCard({ paused, reason }: { paused: boolean; reason: string | null }) {
  const { t } = useTranslation('batch-overview')
  return (
    <div className={`${classes.card} ${classes.wide}`} data-alarming={paused || undefined}>
      <p className={classes.cardName}>{t('pipeline.title')}</p>
      <div className={classes.pipelineRow}>
        <PipelineChip paused={paused} />
        <PipelineSwitch paused={paused} />
      </div>
      <p className={classes.cardHint}>
        {reason && paused
          ? t('pipeline.reason', { reason })
          : t(paused ? 'pipeline.pausedText' : 'pipeline.runningText')}
      </p>
    </div>
  )
}
