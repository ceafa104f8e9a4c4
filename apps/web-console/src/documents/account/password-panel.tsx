import { Button, PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Mail } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNotices } from '../../shared/parts/notices.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changePassword, meQuery, requestPasswordReset } from '../api/session.ts'
import type { Me } from '../api/types.ts'
import { passwordFault } from '../password/new-password.ts'
import { NewPasswordFields } from '../password/new-password-fields.tsx'
import classes from './account.module.css'

/** Changes the password. An account of an identity provider has none until its owner asks for the link to choose one. */
export function PasswordPanel({ me }: { me: Me }) {
  const { t } = useTranslation('documents-account')
  return (
    <Panel title={t('password.title')} lead={t(me.hasPassword ? 'password.lead' : 'password.none')}>
      {me.hasPassword ? <PasswordForm /> : me.emailEnabled && me.email && <LinkButton email={me.email} />}
    </Panel>
  )
}

function PasswordForm() {
  const { t } = useTranslation(['documents-account', 'documents-password'])
  const { busy, fault, submit } = useChange()
  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={classes.form} onSubmit={submit} noValidate>
      <PasswordInput
        name="present"
        label={t('password.present')}
        autoComplete="current-password"
        maxLength={200}
        required
        visibilityToggleButtonProps={{ 'aria-label': t('documents-password:showPassword') }}
      />
      <NewPasswordFields fault={fault} isNext />
      <Button type="submit" loading={busy} leftSection={<KeyRound size={16} aria-hidden="true" />}>
        {t('password.change')}
      </Button>
    </form>
  )
}

function useChange() {
  const { t } = useTranslation('documents-account')
  const queries = useQueryClient()
  const { done, failed } = useNotices()
  const [state, setState] = useState<{ busy: boolean; fault?: ReturnType<typeof passwordFault> }>({ busy: false })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const typed = new FormData(form)
    const newPassword = String(typed.get('password'))
    const fault = passwordFault(newPassword, String(typed.get('again')))
    setState({ busy: !fault, fault })
    if (fault) return (form.elements.namedItem(fault) as HTMLInputElement).focus()
    try {
      queries.setQueryData(
        meQuery.queryKey,
        await changePassword({ password: String(typed.get('present')), newPassword }),
      )
      form.reset()
      done(t('password.changed'))
    } catch (failure) {
      failed(failure)
    } finally {
      setState({ busy: false })
      void queries.invalidateQueries()
    }
  }

  return { ...state, submit }
}

function LinkButton({ email }: { email: string }) {
  const { t } = useTranslation('documents-account')
  const { run, busy } = useAction(
    () => requestPasswordReset(email),
    () => t('password.sent', { email }),
  )
  return (
    <div className={classes.buttons}>
      <Button
        variant="default"
        loading={busy}
        leftSection={<Mail size={16} aria-hidden="true" />}
        onClick={() => void run(undefined)}
      >
        {t('password.send')}
      </Button>
    </div>
  )
}
