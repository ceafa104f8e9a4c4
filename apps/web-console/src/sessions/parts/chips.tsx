import {
  Ban,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock,
  Hourglass,
  type LucideIcon,
  Send,
  ShieldAlert,
  ShieldQuestionMark,
  Timer,
  Unplug,
  Wifi,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import type { CertificateStatus, SignatureState, WorkstationState } from '../api/types.ts'

type Looks<State extends string> = Readonly<Record<State, { readonly icon: LucideIcon; readonly tone: Tone }>>

const verdictLooks: Looks<CertificateStatus> = {
  ACTIVE: { icon: CircleCheck, tone: 'good' },
  EXPIRED: { icon: Timer, tone: 'bad' },
  REVOKED: { icon: Ban, tone: 'bad' },
  UNTRUSTED: { icon: ShieldAlert, tone: 'bad' },
  STALE: { icon: ShieldQuestionMark, tone: 'warning' },
}

/** The validation status of a certificate. */
export function VerdictChip({ status }: { status: CertificateStatus }) {
  const { t } = useTranslation('sessions')
  return <Chip {...verdictLooks[status]}>{t(`verdict.${status}`)}</Chip>
}

const signatureLooks: Looks<SignatureState> = {
  Sending: { icon: Send, tone: 'busy' },
  Accepted: { icon: Hourglass, tone: 'busy' },
  Signed: { icon: CircleCheck, tone: 'good' },
  Canceled: { icon: Ban, tone: 'plain' },
  Failed: { icon: CircleX, tone: 'bad' },
  Unknown: { icon: CircleHelp, tone: 'warning' },
}

/** The state of a signature. */
export function SignatureChip({ state }: { state: SignatureState }) {
  const { t } = useTranslation('sessions')
  return <Chip {...signatureLooks[state]}>{t(`signatureState.${state}`)}</Chip>
}

const workstationLooks: Looks<WorkstationState> = {
  waiting: { icon: Clock, tone: 'warning' },
  outdated: { icon: CircleHelp, tone: 'warning' },
  online: { icon: Wifi, tone: 'good' },
  offline: { icon: Unplug, tone: 'idle' },
  revoked: { icon: Ban, tone: 'bad' },
}

/** Whether a workstation is reachable. */
export function WorkstationChip({ state }: { state: WorkstationState }) {
  const { t } = useTranslation('sessions')
  return <Chip {...workstationLooks[state]}>{t(`workstationState.${state}`)}</Chip>
}
