import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { jobQuery } from '../api/queries.ts'
import type { JobDetail } from '../api/types.ts'
import { useWireNames } from '../jobs/use-wire-names.ts'
import { StatusChip } from '../parts/status-chip.tsx'
import { visibleName } from '../parts/visible-name.ts'
import { HashText } from './hash-text.tsx'
import classes from './job.module.css'
import { JobActions } from './job-actions.tsx'
import { ApprovalPanel } from './job-approval.tsx'
import { JobError } from './job-error.tsx'
import { PaymentsPanel } from './payments-panel.tsx'
import { StageBar } from './stage-bar.tsx'
import { Timeline } from './timeline.tsx'

/** One job, with all that is known of it. */
export function JobPage() {
  const { t } = useTranslation('batch-job')
  const { id } = useParams({ from: '/shell/jobs/$id' })
  const navigate = useNavigate()
  const job = useQuery(jobQuery(id))
  const { data } = job
  const toJobs = (
    <Link to="/jobs" className={classes.back!}>
      <ArrowLeft size={16} aria-hidden="true" /> {t('back')}
    </Link>
  )
  return (
    <>
      <PageHead
        title={data ? visibleName(data.fileName) : t('title')}
        above={toJobs}
        lead={data && <Headline job={data} />}
      >
        {/* After a deletion there is nothing left to show here. */}
        {data && <JobActions job={data} onDeleted={() => void navigate({ to: '/jobs' })} />}
      </PageHead>
      <Queried query={job} lines={10}>
        {(detail) => <Detail job={detail} />}
      </Queried>
    </>
  )
}

function Headline({ job }: { job: JobDetail }) {
  const { t } = useTranslation(['batch-job', 'batch'])
  const { dateAndTime } = useFormats()
  return (
    <span className={classes.headline}>
      <StatusChip status={job.status} />
      <span>{t('batch-job:updated', { at: dateAndTime(job.updatedAt) })}</span>
    </span>
  )
}

function Detail({ job }: { job: JobDetail }) {
  const { t } = useTranslation('batch-job')
  return (
    <>
      {job.errorCode || job.errorMessage ? <JobError job={job} /> : null}
      <StageBar timings={job.timings} />
      {job.approval && <ApprovalPanel job={job} approval={job.approval} />}
      {job.cnab240 && <PaymentsPanel jobId={job.id} summary={job.cnab240} />}
      <div className={classes.pair}>
        <FilePanel job={job} />
        <Panel title={t('history')}>
          <Timeline entries={job.history} />
        </Panel>
      </div>
    </>
  )
}

function FilePanel({ job }: { job: JobDetail }) {
  const { t } = useTranslation(['batch-job', 'batch'])
  const { dateAndTime, bytes } = useFormats()
  const names = useWireNames()
  return (
    <Panel title={t('about')}>
      <Facts
        dense
        rows={[
          [
            t('facts.profile'),
            <Link key="profile" to="/profiles/$name" params={{ name: job.profileName }}>
              {job.profileName}
            </Link>,
          ],
          [t('facts.format'), names.format(job.format)],
          [t('facts.source'), names.source(job.source)],
          [t('facts.created'), dateAndTime(job.createdAt)],
          [t('facts.size'), job.contentLength === null ? undefined : bytes(job.contentLength)],
          [t('facts.folder'), job.inputFolder],
          [t('facts.input'), disposalText(job, t)],
          [t('facts.encrypted'), job.outputFileName && t(job.outputEncrypted ? 'batch:yes' : 'batch:no')],
          [t('facts.reference'), job.externalReference],
        ]}
      />
      <Facts
        rows={[
          [t('facts.path'), job.originalPath && <code>{job.originalPath}</code>],
          [t('facts.output'), job.outputFileName && <code>{job.outputFileName}</code>],
          [t('facts.id'), <HashText key="id" what={t('facts.id')} value={job.id} />],
          [
            t('facts.parent'),
            job.parentJobId && (
              <Link to="/jobs/$id" params={{ id: job.parentJobId }}>
                {job.parentJobId}
              </Link>
            ),
          ],
          [
            t('facts.sha256'),
            job.contentSha256 && <HashText key="sha" what={t('facts.sha256')} value={job.contentSha256} />,
          ],
        ]}
      />
    </Panel>
  )
}

const disposals = ['pending', 'deleted', 'diverged', 'missing'] as const

function disposalText(
  { inputDisposal, status, approval }: JobDetail,
  t: (key: `disposal.${(typeof disposals)[number] | 'returned'}`) => string,
): string | undefined {
  const known = disposals.find((one) => one === inputDisposal)
  // The input of a rejected file goes too, and nothing of it was signed.
  if (known === 'deleted' && status === 'Canceled' && approval?.vetoed) return t('disposal.returned')
  return known && t(`disposal.${known}`)
}
