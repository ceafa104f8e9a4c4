import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../shared/parts/chip.tsx'

/** A decision, or that there is none yet. */
export function DecisionChip({ decision }: { decision: string | null }) {
  const { t } = useTranslation('batch-job')
  if (decision === null)
    return (
      <Chip icon={Clock} tone="idle">
        {t('approval.open')}
      </Chip>
    )
  const isApproved = decision === 'approved'
  return (
    <Chip icon={isApproved ? CircleCheck : CircleX} tone={isApproved ? 'good' : 'bad'}>
      {t(isApproved ? 'approval.approvedBy' : 'approval.rejectedBy')}
    </Chip>
  )
}
