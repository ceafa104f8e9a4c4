import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnouncer } from '../feedback/announcer.tsx'
import { IconButton } from '../icon-button.tsx'
import { copyText } from './copy-text.ts'

const CONFIRMATION_SECONDS = 2

const looks = {
  idle: { icon: Copy, tone: 'quiet' },
  done: { icon: Check, tone: 'good' },
  failed: { icon: TriangleAlert, tone: 'bad' },
} as const

/** Copies `text`, confirms it, and announces it to screen readers. `what` names it: "base URL of the cloud hub". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation()
  const announce = useAnnouncer()
  const [outcome, setOutcome] = useOutcome()
  const copy = async () => {
    const now = (await copyText(text)) ? 'done' : 'failed'
    setOutcome(now)
    announce(t(`copy.${now}`, { what }))
  }
  return <IconButton {...looks[outcome]} label={t('copy.action', { what })} onClick={() => void copy()} />
}

/** The result of the last press, cleared after the confirmation was shown. */
function useOutcome() {
  const [outcome, setOutcome] = useState<keyof typeof looks>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), CONFIRMATION_SECONDS * 1000)
    return () => clearTimeout(timer)
  }, [outcome])
  return [outcome, setOutcome] as const
}
