import {
  Ban,
  CircleCheck,
  CircleX,
  Clock,
  FileSearch,
  type LucideIcon,
  PenLine,
  Send,
  UserRoundCheck,
} from 'lucide-react'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { jobStatuses } from '../api/types.ts'
import { useWireNames } from '../jobs/use-wire-names.ts'

interface Look {
  readonly icon?: LucideIcon
  readonly tone: Tone
}

const looks: Readonly<Record<(typeof jobStatuses)[number], Look>> = {
  Queued: { icon: Clock, tone: 'idle' },
  Processing: { icon: PenLine, tone: 'busy' },
  Verifying: { icon: FileSearch, tone: 'busy' },
  AwaitingApproval: { icon: UserRoundCheck, tone: 'warning' },
  AwaitingSigner: { icon: Send, tone: 'warning' },
  Completed: { icon: CircleCheck, tone: 'good' },
  Failed: { icon: CircleX, tone: 'bad' },
  Canceled: { icon: Ban, tone: 'plain' },
}

/** The status of a job; a status newer than this page is shown by its name. */
export function StatusChip({ status }: { status: string }) {
  const names = useWireNames()
  const look: Look = Object.hasOwn(looks, status) ? looks[status as keyof typeof looks] : { tone: 'plain' }
  return <Chip {...look}>{names.status(status)}</Chip>
}
