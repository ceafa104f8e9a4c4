import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { Figure, Figures } from '../../shared/parts/figures.tsx'
import type { Overview } from '../api/types.ts'
import { visibleName } from '../parts/visible-name.ts'
import classes from './overview.module.css'
import { PipelineCard } from './pipeline-card.tsx'

/** The numbers an operator looks at first. */
export function Cards({ overview }: { overview: Overview }) {
  const { t } = useTranslation('batch-overview')
  const { counts, slots, last24h } = overview
  const { AwaitingApproval = 0, AwaitingSigner = 0 } = counts
  return (
    <Figures label={t('cards.label')}>
      <Card name={t('cards.queued')} value={counts.Queued ?? 0} hint={t('cards.queuedHint')} status="Queued" />
      <Card name={t('cards.inFlight')} value={slots.used} hint={t('cards.slots', { of: slots.of })}>
        <meter className={classes.meter} value={slots.used} max={slots.of} aria-label={t('cards.inFlight')} />
      </Card>
      <LongestCard longest={overview.longestRunning} />
      <PipelineCard paused={overview.paused} reason={overview.reason} />
      <Card name={t('cards.completed')} value={last24h.completed} hint={t('cards.last24h')} status="Completed" />
      <Card
        name={t('cards.failed')}
        value={last24h.failed}
        hint={t('cards.last24h')}
        status="Failed"
        alarming={last24h.failed > 0}
      />
      <Card name={t('cards.canceled')} value={last24h.canceled} hint={t('cards.last24h')} status="Canceled" />
      <Card name={t('cards.encrypted')} value={last24h.encrypted} hint={t('cards.last24h')} />
      {AwaitingApproval > 0 && (
        <Card name={t('cards.awaitingApproval')} value={AwaitingApproval} status="AwaitingApproval" />
      )}
      {AwaitingSigner > 0 && <Card name={t('cards.awaitingSigner')} value={AwaitingSigner} status="AwaitingSigner" />}
    </Figures>
  )
}

interface CardProps {
  name: string
  value: number
  hint?: string
  /** Links to the jobs of this status. */
  status?: string
  alarming?: boolean
  children?: ReactNode
}

function Card({ name, value, hint, status, alarming, children }: CardProps) {
  const { count } = useFormats()
  const title = status ? (
    <Link to="/jobs" search={{ status }}>
      {name}
    </Link>
  ) : (
    name
  )
  return (
    <Figure name={title} value={count(value)} hint={hint} alarming={alarming === true}>
      {children}
    </Figure>
  )
}

function LongestCard({ longest }: { longest: Overview['longestRunning'] }) {
  const { t } = useTranslation('batch-overview')
  const { duration } = useFormats()
  const now = useNow(1000)
  if (!longest?.startedAt) return <Figure name={t('cards.longest')} value="–" hint={t('cards.longestNone')} wide />
  const job = (
    <Link to="/jobs/$id" params={{ id: longest.jobId }}>
      {visibleName(longest.fileName)}
    </Link>
  )
  const running = duration(Math.max(0, now - Date.parse(longest.startedAt)))
  return <Figure name={t('cards.longest')} value={running} hint={job} wide />
}
