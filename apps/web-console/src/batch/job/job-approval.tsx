import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { approvalsQuery } from '../api/queries.ts'
import type { ApprovalDecision, ApprovalRecord, JobApproval, JobDetail } from '../api/types.ts'
import { ApprovalChip } from '../parts/approval-chip.tsx'
import { DecisionChip } from '../parts/decision-chip.tsx'
import { ApprovalInspector } from './approval-inspector.tsx'
import { HashText } from './hash-text.tsx'
import classes from './job.module.css'

/** What a job waits or waited for: the rule it was frozen with, and who decided what. */
export function ApprovalPanel({ job, approval }: { job: JobDetail; approval: JobApproval }) {
  const { t } = useTranslation('batch-job')
  const { dateAndTime } = useFormats()
  const record = useQuery(approvalsQuery(job.id))
  const { required, poolSize, approved, parkedSince, expiresAt, signers } = approval
  return (
    <Panel title={t('approval.title')}>
      <Facts
        dense
        rows={[
          [t('approval.state'), <ApprovalChip key="state" approval={approval} status={job.status} />],
          [t('approval.approved'), t('approval.approvedOf', { approved, required, poolSize })],
          [t('approval.parkedSince'), parkedSince && dateAndTime(parkedSince)],
          [t('approval.deadline'), expiresAt ? dateAndTime(expiresAt) : t('approval.noDeadline')],
          [t('approval.signers'), t(`approval.signerSets.${signers}`)],
        ]}
      />
      <Queried query={record}>{(found) => <Decisions record={found} />}</Queried>
      <ApprovalInspector jobId={job.id} />
    </Panel>
  )
}

type Member = ApprovalRecord['pool'][number]

function Decisions({ record }: { record: ApprovalRecord }) {
  const { t } = useTranslation('batch-job')
  const { dateAndTime } = useFormats()
  const { contentSha256 } = record.rule
  const decided = new Map(record.decisions.map((decision) => [decision.approverEmail.toLowerCase(), decision]))
  const of = ({ email }: Member) => decided.get(email.toLowerCase())
  const columns: Column<Member>[] = [
    { key: 'who', title: t('approval.who'), isHeader: true, cell: (member) => <Person member={member} /> },
    {
      key: 'decision',
      title: t('approval.decision'),
      cell: (member) => <DecisionChip decision={of(member)?.decision ?? null} />,
    },
    { key: 'at', title: t('approval.at'), cell: (member) => timeOf(of(member), dateAndTime) },
    { key: 'how', title: t('approval.how'), cell: (member) => <How decision={of(member)} /> },
    { key: 'reason', title: t('approval.reason'), cell: (member) => of(member)?.reason ?? '–' },
  ]
  return (
    <>
      <DataTable caption={t('approval.pool')} columns={columns} rows={record.pool} rowKey={({ email }) => email} />
      {contentSha256 && (
        <Facts rows={[[t('approval.hash'), <HashText key="hash" what={t('approval.hash')} value={contentSha256} />]]} />
      )}
    </>
  )
}

const timeOf = (decision: ApprovalDecision | undefined, format: (at: string) => string): string =>
  decision ? format(decision.decidedAt) : '–'

function Person({ member: { name, email, cpfMasked } }: { member: Member }) {
  return (
    <>
      {name}
      <span className={classes.person}>{email}</span>
      <span className={classes.person}>{cpfMasked}</span>
    </>
  )
}

/** How the service knew whose decision it was, and the certificate where it was a signature. */
function How({ decision }: { decision: ApprovalDecision | undefined }) {
  const { t } = useTranslation('batch-job')
  const { dateAndTime } = useFormats()
  if (!decision) return '–'
  const { identificationMethod: method, secondFactorVerifiedAt: at, certificate } = decision
  return (
    <>
      {t(`approval.methods.${method}`)}
      {at && <span className={classes.person}>{t('approval.secondFactor', { at: dateAndTime(at) })}</span>}
      {certificate && (
        <details className={classes.certificate}>
          <summary>{t(certificate.cloudService ? 'approval.signedInCloud' : 'approval.signed')}</summary>
          <Facts
            dense
            rows={[
              [t('approval.subject'), certificate.subject],
              [t('approval.issuer'), certificate.issuer],
              [t('approval.serial'), <code key="serial">{certificate.serialNumber}</code>],
              [t('approval.thumbprint'), <code key="thumbprint">{certificate.thumbprintSha256}</code>],
              [t('approval.cloudService'), certificate.cloudService],
            ]}
          />
        </details>
      )}
    </>
  )
}
