import { Progress as Bar } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../shared/i18n/use-language.ts'
import { SignWith } from '../../../shared/signing/sign-with.tsx'
import { SigningContext } from '../../../shared/signing/signing-page.ts'
import { SignProblem } from './sign-problem.tsx'
import type { Outcome, Progress, SigningTask } from './signing-way.ts'
import { signingWays } from './signing-ways.ts'

interface SignFilesProps extends Pick<SigningTask, 'approver' | 'files' | 'others'> {
  reason: string | undefined
  onProgress: SigningTask['onProgress']
  progress: Progress | undefined
  /** Called once, when everything that could be signed is signed. */
  onSigned: (outcomes: readonly Outcome[]) => void
}

/** Approves files by signing them, in one of the ways that the service has. */
export function SignFiles({ reason, progress, onSigned, ...given }: SignFilesProps) {
  const { language } = useLanguage()
  const typed = useRef(reason)
  typed.current = reason
  const outcomes = useRef<readonly Outcome[]>([])
  const onLeave = useLeaving()
  const [offers] = useState(() => {
    const task: SigningTask = {
      ...given,
      reason: () => typed.current,
      record: (found) => {
        outcomes.current = found
      },
      onLeave,
    }
    return signingWays.map((way) => way(task)).filter((offer) => offer !== undefined)
  })
  return (
    <SigningContext value={{ language, Problem: SignProblem }}>
      <SignWith offers={offers} wanted={{ cpf: null, type: null }} onSigned={() => onSigned(outcomes.current)} />
      {progress && given.files.length > 1 && <ProgressLine {...progress} />}
    </SigningContext>
  )
}

/** Calls what was given to it when the page goes away. */
function useLeaving(): SigningTask['onLeave'] {
  const acts = useRef<(() => void)[]>([])
  useEffect(
    () => () => {
      for (const act of acts.current) act()
    },
    [],
  )
  return (act) => void acts.current.push(act)
}

function ProgressLine({ done, all }: Progress) {
  const { t } = useTranslation('batch-portal')
  const percent = Math.round((100 * done) / all)
  return (
    <div>
      <p>{t('sign.progress', { percent })}</p>
      <Bar value={percent} aria-label={t('sign.progressLabel')} />
    </div>
  )
}
