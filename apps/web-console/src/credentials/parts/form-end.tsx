import { Button } from '@mantine/core'
import { Save } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import classes from './parts.module.css'
import type { DraftForm } from './use-draft-form.ts'
import { useFieldWords } from './use-field-words.ts'

/** The end of a form: what was refused, every field of it, and the buttons. */
export function FormEnd({ form, label, children }: { form: DraftForm; label?: string; children?: ReactNode }) {
  const { t } = useTranslation('credentials')
  return (
    <>
      {form.failure !== undefined && <ProblemNote error={form.failure} />}
      <FieldProblems form={form} />
      <div className={classes.buttons}>
        <Button type="submit" loading={form.busy} leftSection={<Save size={16} aria-hidden="true" />}>
          {label ?? t('save')}
        </Button>
        {children}
      </div>
    </>
  )
}

function FieldProblems({ form: { problems } }: { form: DraftForm }) {
  const { way, problem } = useFieldWords()
  if (problems.length === 0) return null
  return (
    <ul className={classes.problems}>
      {problems.map((one) => (
        <li key={`${one.path} ${one.says}`}>
          <strong>{way(one.path)}</strong>: {problem(one)}
        </li>
      ))}
    </ul>
  )
}
