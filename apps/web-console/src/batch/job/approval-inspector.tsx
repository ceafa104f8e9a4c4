import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Minus, ScanSearch } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip } from '../../shared/parts/chip.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { inspectionQuery } from '../api/queries.ts'
import type { ApprovalInspection } from '../api/types.ts'
import { HashText } from './hash-text.tsx'
import classes from './job.module.css'

/** Measures what people decide about against the record, each time anew: a large copy takes a while to hash. */
export function ApprovalInspector({ jobId }: { jobId: string }) {
  const { t } = useTranslation('batch-job')
  const [open, setOpen] = useState(false)
  const inspection = useQuery({ ...inspectionQuery(jobId), enabled: open })
  const measure = () => (open ? void inspection.refetch() : setOpen(true))
  return (
    <>
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        loading={inspection.isFetching}
        leftSection={<ScanSearch size={14} aria-hidden="true" />}
        onClick={measure}
      >
        {t(open ? 'inspection.again' : 'inspection.check')}
      </Button>
      {open && <Queried query={inspection}>{(found) => <Found inspection={found} />}</Queried>}
    </>
  )
}

type Kept = ApprovalInspection['copy']['state']

function Found({ inspection: { checkedAt, copy, signatures, former } }: { inspection: ApprovalInspection }) {
  const { t } = useTranslation('batch-job')
  const { dateAndTime } = useFormats()
  return (
    <>
      <Facts
        dense
        rows={[
          [t('inspection.checkedAt'), dateAndTime(checkedAt)],
          [t('inspection.copy'), <KeptChip key="copy" state={copy.state} />],
          [t('inspection.signatures'), signatures && <KeptChip key="signatures" state={signatures.state} />],
          [t('inspection.former'), former && t(former.isIdentical ? 'inspection.same' : 'inspection.other', former)],
        ]}
      />
      {copy.sha256 !== null && (
        <Facts
          rows={[[t('inspection.hash'), <HashText key="hash" what={t('inspection.hash')} value={copy.sha256} />]]}
        />
      )}
      {signatures && <Signatures signatures={signatures} />}
    </>
  )
}

function Signatures({ signatures }: { signatures: NonNullable<ApprovalInspection['signatures']> }) {
  const { t } = useTranslation('batch-job')
  return (
    <ul className={classes.findings}>
      {signatures.signers.map(({ approverName, thumbprintSha256, isThere }) => (
        <li key={`${approverName} ${thumbprintSha256}`}>
          {t(isThere ? 'inspection.isThere' : 'inspection.isMissing', { name: approverName })}
          {thumbprintSha256 && <code className={classes.person}>{thumbprintSha256}</code>}
        </li>
      ))}
      {signatures.problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}

const chips = {
  right: { icon: CircleCheck, tone: 'good' },
  altered: { icon: CircleX, tone: 'bad' },
  missing: { icon: CircleX, tone: 'bad' },
  unreadable: { icon: CircleX, tone: 'bad' },
  none: { icon: Minus, tone: 'idle' },
} as const

function KeptChip({ state }: { state: Kept }) {
  const { t } = useTranslation('batch-job')
  return <Chip {...chips[state]}>{t(`inspection.states.${state}`)}</Chip>
}
