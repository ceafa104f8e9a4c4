import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IdCard } from 'lucide-react'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { saveSigner } from '../api/signatures.ts'
import parts from '../parts/parts.module.css'
import classes from './signatures.module.css'

/** The person says as whom they sign. */
export function CpfForm({ lead, onSaved }: { lead: string; onSaved?: () => void }) {
  const { t } = useTranslation(['credentials-signatures', 'credentials'])
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: saveSigner,
    onSuccess: async () => {
      await queries.invalidateQueries()
      onSaved?.()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    saving.mutate(String(new FormData(event.currentTarget).get('cpf')).replaceAll(/\D/g, ''))
  }

  return (
    <form className={classes.cpf} onSubmit={submit}>
      <p className={parts.quiet}>{lead}</p>
      <TextInput name="cpf" label={t('cpf')} inputMode="numeric" autoComplete="off" required maxLength={14} />
      {saving.error && <ProblemNote error={saving.error} />}
      <Button
        className={parts.button!}
        type="submit"
        variant="default"
        loading={saving.isPending}
        leftSection={<IdCard size={16} aria-hidden="true" />}
      >
        {t('credentials:save')}
      </Button>
    </form>
  )
}
