import type { SuiteView } from '@chancela/demo/contract'
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Seal } from '../../shared/seal.tsx'
import { summarize } from '../suite/suite-summary.ts'
import { useLastLook } from '../suite/use-suite.ts'
import { useTimeFormat } from '../suite/use-time-format.ts'
import { BeginWalk } from '../walk/begin-walk.tsx'
import classes from './hero.module.css'
import { Rosette } from './rosette.tsx'

/** Name, explanation, the first thing to try, and the suite in four numbers. */
export function Hero({ suite, loading }: { suite: SuiteView | undefined; loading: boolean }) {
  const { t } = useTranslation('home')
  return (
    <div className={classes.hero}>
      <div className={classes.stamp}>
        <Rosette />
        <Seal size={112} />
      </div>
      <p className={classes.eyebrow}>{t('hero.eyebrow')}</p>
      <h1 className={classes.name} translate="no">
        Chancela
      </h1>
      <p className={classes.tagline}>{t('hero.tagline')}</p>
      <p className={classes.explanation}>{t('hero.explanation')}</p>
      {suite && <BeginWalk suite={suite} />}
      {suite && <Facts suite={suite} />}
      {loading && (
        <div className={classes.facts}>
          <Skeleton height={46} />
        </div>
      )}
    </div>
  )
}

function Facts({ suite }: { suite: SuiteView }) {
  const { t } = useTranslation('home')
  const { dateAndTime } = useTimeFormat()
  return (
    <dl className={classes.facts}>
      <Fact name={t('summary.running')}>
        <RunningCount suite={suite} />
      </Fact>
      <Fact name={t('summary.version')}>{suite.version}</Fact>
      <Fact name={t('summary.startedAt')}>
        <time dateTime={suite.startedAt}>{dateAndTime(suite.startedAt)}</time>
      </Fact>
      <Fact name={t('summary.checkedAt')}>
        <LastLook />
      </Fact>
    </dl>
  )
}

function RunningCount({ suite }: { suite: SuiteView }) {
  const { t } = useTranslation('home')
  const { running, total, degraded, planned } = summarize(suite.services)
  return (
    // A live region: visitors wait for a service that stops or comes back.
    <span role="status">
      {t('summary.runningOf', { running, total })}
      {degraded > 0 && <span className={classes.attention}>{t('summary.needAttention', { count: degraded })}</span>}
      {planned > 0 && <span className={classes.planned}>{t('summary.planned', { count: planned })}</span>}
    </span>
  )
}

function LastLook() {
  const { timeOfDay } = useTimeFormat()
  const { at, live } = useLastLook()
  return (
    <span className={classes.lastLook} data-live={live}>
      {timeOfDay(at)}
    </span>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
