import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { act } from '../api/items.ts'
import { listQuery, MOST_CHOICES } from '../api/lists.ts'
import type { Partnership } from '../api/types.ts'
import classes from '../parts/parts.module.css'

/** Sends a signed emission to a registrar that is a partner. */
export function SendPanel({ id }: { id: string }) {
  const { t } = useTranslation(['credentials-items', 'credentials-partnerships'])
  const partners = useQuery(listQuery<Partnership>('partnerships', { status: 'Active', pageSize: MOST_CHOICES }))
  const registrars = (partners.data?.items ?? []).filter(({ issuer }) => issuer.own).map(({ registrar }) => registrar)
  const [registrarInstituteId, setRegistrar] = useState('')
  const { run, busy } = useAction(
    () => act('emissions', id, 'send', { registrarInstituteId }),
    () => t('send.done'),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(undefined)
  }

  return (
    <Panel title={t('send.title')} lead={t('send.lead')}>
      <form className={classes.column} onSubmit={submit}>
        <NativeSelect
          label={t('registrar')}
          className={classes.button!}
          required
          data={[
            { value: '', label: t('credentials-partnerships:choose') },
            ...registrars.map(({ instituteId, name }) => ({ value: instituteId, label: name })),
          ]}
          value={registrarInstituteId}
          onChange={({ currentTarget }) => setRegistrar(currentTarget.value)}
        />
        <Button
          type="submit"
          className={classes.button!}
          loading={busy}
          disabled={registrarInstituteId === ''}
          leftSection={<Send size={16} aria-hidden="true" />}
        >
          {t('send.send')}
        </Button>
      </form>
    </Panel>
  )
}
