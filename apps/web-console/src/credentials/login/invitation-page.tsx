import { Button, PasswordInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../shared/api/request.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { acceptInvitation } from '../api/session.ts'
import { CodeField, codeIn } from './code-field.tsx'
import { SHORTEST_PASSWORD } from './shortest-password.ts'
import { useEntering } from './use-entering.ts'

/** Accepts an invitation: with a new password, or with the one that the address has here already. */
export function InvitationPage() {
  const { ticket = '' } = useSearch({ from: '/invitation' })
  const navigate = useNavigate()
  const entering = useEntering(() => navigate({ to: '/' }))
  if (ticket === '' || refusalCode(entering.failure) === 'invitation-invalid') return <Over />
  return <Accept ticket={ticket} entering={entering} />
}

function Accept({ ticket, entering }: { ticket: string; entering: ReturnType<typeof useEntering> }) {
  const { t } = useTranslation('credentials-login')
  const [isShort, setShort] = useState(false)
  const { busy, failure, asksCode, enter } = entering

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const password = String(typed.get('password'))
    setShort(password.length < SHORTEST_PASSWORD)
    if (password.length >= SHORTEST_PASSWORD) void enter(() => acceptInvitation({ ticket, password, ...codeIn(typed) }))
  }

  return (
    <LoginFrame title={t('invitation.title')}>
      <p>{t('invitation.isNew')}</p>
      <p>{t('invitation.hasAccount')}</p>
      {failure !== undefined && <ProblemNote error={failure} />}
      {/* The browser's own validation messages may be in another language than the page. */}
      <form className={classes.form} onSubmit={submit} noValidate>
        <PasswordInput
          name="password"
          label={t('password')}
          description={t('invitation.hint', { count: SHORTEST_PASSWORD })}
          autoComplete="new-password"
          autoFocus
          required
          error={isShort && t('invitation.tooShort', { count: SHORTEST_PASSWORD })}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
        />
        {asksCode && <CodeField />}
        <Button type="submit" loading={busy} leftSection={<LogIn size={16} aria-hidden="true" />}>
          {t('invitation.accept')}
        </Button>
      </form>
    </LoginFrame>
  )
}

/** For an invitation that is no longer valid: says what to do, depending on whether it was accepted. */
function Over() {
  const { t } = useTranslation('credentials-login')
  return (
    <LoginFrame title={t('over.title')}>
      <p>{t('over.why')}</p>
      <p>{t('over.accepted')}</p>
      <p>{t('over.otherwise')}</p>
      <LinkButton to="/login" search={{}}>
        {t('signIn')}
      </LinkButton>
    </LoginFrame>
  )
}
