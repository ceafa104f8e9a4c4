import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import type { Timings } from '../api/types.ts'
import classes from './job.module.css'

const stages = [
  ['queue', 'queueMs'],
  ['signing', 'signingMs'],
  ['verification', 'verificationMs'],
  ['output', 'outputMs'],
] as const

/** The duration of each stage of the job. A stage that did not happen is named as such. */
export function StageBar({ timings }: { timings: Timings }) {
  const { t } = useTranslation(['batch-job', 'batch-overview'])
  const { duration } = useFormats()
  const total = stages.reduce((sum, [, key]) => sum + (timings[key] ?? 0), 0)
  if (stages.every(([, key]) => timings[key] === null)) return null
  return (
    <Panel title={t('batch-job:timings')} lead={t('batch-job:timingsTotal', { total: duration(total) })}>
      <div className={classes.bar} aria-hidden="true">
        {stages.map(([name, key]) => (
          <span key={name} data-stage={name} style={{ flexGrow: timings[key] ?? 0 }} />
        ))}
      </div>
      <dl className={classes.stages}>
        {stages.map(([name, key]) => (
          <div key={name} data-stage={name}>
            <dt>
              <span className={classes.swatch} aria-hidden="true" />
              {t(`batch-overview:stages.${name}`)}
            </dt>
            <dd>{timings[key] === null ? t('batch-job:stageSkipped') : duration(timings[key])}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
