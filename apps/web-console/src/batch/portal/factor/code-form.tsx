import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCodeText } from '../../../shared/bundle.ts'
import { useFormats } from '../../../shared/format/use-formats.ts'
import parts from '../../../shared/parts/parts.module.css'
import { ProblemNote } from '../../../shared/parts/problem-note.tsx'
import { useAttempt } from '../../../shared/signing/use-attempt.ts'
import { approverQuery } from '../api/portal-calls.ts'
import type { FactorVerdict } from '../api/portal-types.ts'
import classes from './factor.module.css'

interface CodeFormProps {
  lead: string
  /** As the service knew it last. */
  lockedUntil: string | null
  give: (code: string) => Promise<FactorVerdict>
  onVerified?: () => void
}

/** Asks for a code, which is forgotten as soon as it was given. */
export function CodeForm({ lead, lockedUntil, give, onVerified }: CodeFormProps) {
  const { t } = useTranslation('batch-portal')
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [verdict, setVerdict] = useState<FactorVerdict>()
  const { busy, failure, attempt } = useAttempt()

  function submit(event: FormEvent) {
    event.preventDefault()
    setCode('')
    void attempt(async () => {
      const said = await give(code)
      setVerdict(said)
      await queries.invalidateQueries(approverQuery)
      if (said.verified) onVerified?.()
    })
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <p>{lead}</p>
      <TextInput
        label={t('factor.code')}
        description={t('factor.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        autoFocus
        required
        value={code}
        // Apps show two groups: a blank between them is accepted.
        onChange={({ currentTarget }) => setCode(currentTarget.value.replace(/\s/g, ''))}
      />
      <NotVerified verdict={verdict} lockedUntil={verdict?.lockedUntil ?? lockedUntil} />
      {failure !== undefined && <ProblemNote error={failure} />}
      <Button type="submit" loading={busy} leftSection={<KeyRound size={16} aria-hidden="true" />}>
        {t('factor.confirm')}
      </Button>
    </form>
  )
}

/** Why the code was not accepted; where the enrolment is closed, until when. */
function NotVerified({ verdict, lockedUntil }: { verdict: FactorVerdict | undefined; lockedUntil: string | null }) {
  const { t } = useTranslation('batch-portal')
  const { explain } = useCodeText()
  const { timeOfDay } = useFormats()
  const wrong = verdict?.code ? explain(verdict.code) : undefined
  const text = lockedUntil ? t('factor.lockedUntil', { at: timeOfDay(lockedUntil) }) : wrong
  if (!text) return null
  return (
    <p className={parts.problem} role="alert">
      <TriangleAlert size={20} aria-hidden="true" />
      <span className={parts.problemText}>{text}</span>
    </p>
  )
}
