import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CirclePause } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../../shared/frame/frame.module.css'
import { Chip } from '../../shared/parts/chip.tsx'
import { pipelineQuery } from '../api/queries.ts'

/** Shown on every page while the pipeline is paused; links to where it is resumed. */
export function PausedMark() {
  const { t } = useTranslation('batch-overview')
  const { data } = useQuery(pipelineQuery)
  if (!data?.paused) return null
  return (
    <Link to="/system" className={classes.paused!}>
      <Chip icon={CirclePause} tone="warning">
        <span className={classes.markWord}>{t('pipeline.paused')}</span>
      </Chip>
    </Link>
  )
}
