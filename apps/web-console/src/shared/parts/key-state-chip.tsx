import { CircleCheck, CircleX, type LucideIcon, Timer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../format/use-now.ts'
import { Chip, type Tone } from './chip.tsx'
import { type KeyTimes, keyState } from './key-state.ts'

const looks: Readonly<Record<ReturnType<typeof keyState>, { icon: LucideIcon; tone: Tone }>> = {
  valid: { icon: CircleCheck, tone: 'good' },
  revoked: { icon: CircleX, tone: 'bad' },
  expired: { icon: Timer, tone: 'idle' },
}

/** A key may expire while the page is open. */
const LOOK_EVERY_MS = 60_000

/** Whether an API key is accepted. */
export function KeyStateChip(times: KeyTimes) {
  const { t } = useTranslation()
  const state = keyState(times, useNow(LOOK_EVERY_MS))
  return <Chip {...looks[state]}>{t(`keyState.${state}`)}</Chip>
}
