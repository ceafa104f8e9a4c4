import { CircleX, type LucideIcon, UserRoundCheck, UsersRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { JobApproval } from '../api/types.ts'
import { standOf } from './approval-stand.ts'

const looks: Readonly<Record<ReturnType<typeof standOf>, { icon: LucideIcon; tone: Tone }>> = {
  rejected: { icon: CircleX, tone: 'bad' },
  met: { icon: UserRoundCheck, tone: 'good' },
  needed: { icon: UsersRound, tone: 'warning' },
  ended: { icon: UsersRound, tone: 'plain' },
}

/** Where the approval of a job stands. */
export function ApprovalChip({ approval, status }: { approval: JobApproval; status: string }) {
  const { t } = useTranslation('batch')
  const stand = standOf(approval, status)
  const { outstanding, approved, required } = approval
  return <Chip {...looks[stand]}>{t(`approval.${stand}`, { count: outstanding, approved, required })}</Chip>
}
