import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../shared/api/request.ts'
import classes from '../../shared/frame/login.module.css'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { acceptInvitation, invitationQuery, meQuery } from '../api/session.ts'
import type { Invitation } from '../api/types.ts'
import { CodeInput } from '../parts/code-input.tsx'
import { passwordFault } from '../password/new-password.ts'
import { NewPasswordFields } from '../password/new-password-fields.tsx'

type Fault = ReturnType<typeof passwordFault>

/** Accepts with the password of the account, or with a new one where the address has none. */
export function AcceptForm({ ticket, invitation }: { ticket: string; invitation: Invitation }) {
  const { t } = useTranslation('documents-invitation')
  const { organization, name, email, hasAccount } = invitation
  const { busy, failure, fault, asksCode, submit } = useAccept(ticket, hasAccount)
  return (
    <>
      <p>{t('lead', { name, organization })}</p>
      <p>{t(hasAccount ? 'hasAccount' : 'isNew')}</p>
      {failure !== undefined && <ProblemNote error={failure} />}
      {/* The browser's own validation messages may be in another language than the page. */}
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          name="email"
          type="email"
          label={t('email')}
          // Password managers save the password under this address.
          autoComplete="username"
          readOnly
          value={email}
        />
        {hasAccount ? <KnownPassword /> : <NewPasswordFields fault={fault} />}
        {asksCode && <CodeInput />}
        <Button type="submit" loading={busy} leftSection={<LogIn size={16} aria-hidden="true" />}>
          {t('accept')}
        </Button>
      </form>
    </>
  )
}

function KnownPassword() {
  const { t } = useTranslation('documents-invitation')
  return (
    <PasswordInput
      name="password"
      label={t('password')}
      autoComplete="current-password"
      autoFocus
      required
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
    />
  )
}

/** Accepts the invitation, which signs the visitor in. */
function useAccept(ticket: string, hasAccount: boolean) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [state, setState] = useState<{ busy: boolean; failure?: unknown; fault?: Fault }>({ busy: false })
  const [asksCode, setAsksCode] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const typed = new FormData(form)
    const password = String(typed.get('password'))
    const fault = hasAccount ? undefined : passwordFault(password, String(typed.get('again')))
    setState({ busy: !fault, fault })
    if (fault) return (form.elements.namedItem(fault) as HTMLInputElement).focus()
    try {
      const me = await acceptInvitation(ticket, { password, ...(asksCode && { code: String(typed.get('code')) }) })
      queries.clear()
      queries.setQueryData(meQuery.queryKey, me)
      await navigate({ to: '/documents', search: {} })
    } catch (failure) {
      const needsCode = refusalCode(failure) === 'SecondFactorCodeRequired'
      if (needsCode) setAsksCode(true)
      setState(needsCode ? { busy: false } : { busy: false, failure })
      // The invitation may have been accepted or withdrawn meanwhile: reading it again shows that.
      void queries.invalidateQueries(invitationQuery(ticket))
    }
  }

  return { ...state, asksCode, submit }
}
