import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCodeText } from '../../shared/bundle.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { retryFailures } from '../api/actions.ts'
import { failuresQuery } from '../api/queries.ts'
import type { FailureCause, RetriedFailures } from '../api/types.ts'
import { failureSpans } from './failure-spans.ts'
import classes from './failures.module.css'

type Span = keyof typeof failureSpans

/** What failed lately, by its cause: the reason once instead of file by file, and one button for all of them. */
export function FailuresPanel() {
  const { t } = useTranslation('batch-jobs')
  const [span, setSpan] = useState<Span>('day')
  const [left, setLeft] = useState<RetriedFailures['refused']>([])
  const { data } = useQuery(failuresQuery(span))
  // An operator without failures has nothing to choose here; a longer span stays, so that the choice can be undone.
  if (!data || (data.causes.length === 0 && span === 'day' && left.length === 0)) return null
  return (
    <Panel title={t('failures.title')} lead={t('failures.lead')} actions={<SpanChoice span={span} onSpan={setSpan} />}>
      {data.causes.length === 0 && <p>{t('failures.none')}</p>}
      <ul className={classes.causes}>
        {data.causes.map((cause) => (
          <Cause key={cause.cause} cause={cause} since={data.since} onLeft={setLeft} />
        ))}
      </ul>
      <LeftAlone refused={left} />
    </Panel>
  )
}

function SpanChoice({ span, onSpan }: { span: Span; onSpan: (span: Span) => void }) {
  const { t } = useTranslation('batch-jobs')
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('failures.since')}
      value={span}
      onChange={(value) => onSpan(value as Span)}
      data={(Object.keys(failureSpans) as Span[]).map((value) => ({ value, label: t(`failures.spans.${value}`) }))}
    />
  )
}

function Cause(props: { cause: FailureCause; since: string; onLeft: (refused: RetriedFailures['refused']) => void }) {
  const { t } = useTranslation('batch-jobs')
  const { count: number, dateAndTime } = useFormats()
  const { explain } = useCodeText()
  const { cause, code, count, newestAt, retriable, example } = props.cause
  const [done, setDone] = useState<number>()
  const act = useAction(
    () => retryFailures(cause, props.since, setDone),
    ({ taken, refused }) => t('failures.done', { taken: number(taken), left: number(countOf(refused)) }),
  )
  async function retry() {
    props.onLeft([])
    const result = await act.run(undefined)
    setDone(undefined)
    if (result) props.onLeft(result.refused)
  }
  return (
    <li className={classes.cause}>
      <div className={classes.words}>
        <p className={classes.reason}>{example.errorMessage ?? explain(code)}</p>
        <p className={classes.example}>
          {t('failures.count', { count })} · {t('failures.newest')}{' '}
          <Link to="/jobs/$id" params={{ id: example.jobId }}>
            {example.fileName}
          </Link>
          , {dateAndTime(newestAt)}
        </p>
        <code className={classes.code}>{cause}</code>
      </div>
      {retriable && (
        <Button
          variant="default"
          loading={act.busy && done === undefined}
          disabled={act.busy}
          leftSection={<RotateCcw size={16} aria-hidden="true" />}
          onClick={() => void retry()}
        >
          {done === undefined
            ? t('failures.retry', { count })
            : t('failures.progress', { done: number(done), all: number(count) })}
        </Button>
      )}
    </li>
  )
}

const countOf = (refused: RetriedFailures['refused']): number => refused.reduce((sum, { count }) => sum + count, 0)

/** Why some were not retried, each with one job to look at. */
function LeftAlone({ refused }: { refused: RetriedFailures['refused'] }) {
  const { t } = useTranslation('batch-jobs')
  const { explain } = useCodeText()
  if (refused.length === 0) return null
  return (
    <section aria-label={t('failures.left')} className={classes.left}>
      <h3 className={classes.leftTitle}>{t('failures.left')}</h3>
      <ul>
        {refused.map(({ code, count, jobId }) => (
          <li key={code}>
            {t('failures.count', { count })}: {explain(code)}{' '}
            <Link to="/jobs/$id" params={{ id: jobId }}>
              {t('failures.look')}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
