import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onSessionLost } from '../../shared/api/request.ts'
import { AuthenticatorSecret } from '../../shared/authenticator/authenticator-secret.tsx'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { confirmSecondFactor, meQuery, newSecondFactorQuery } from '../api/session.ts'
import type { Me, NewSecondFactor } from '../api/types.ts'
import { LeaveButton } from '../frame/leave-button.tsx'
import { CodeField, codeIn } from './code-field.tsx'

/** Sets up an authenticator app: at the first sign-in, where nothing else is allowed before, or as a replacement. */
export function SecondFactorPage() {
  const { t } = useTranslation('credentials-login')
  const navigate = useNavigate()
  useEffect(() => onSessionLost(() => void navigate({ to: '/login', search: {} })), [navigate])
  return (
    <LoginFrame title={t('factor.title')}>
      <Queried query={useQuery(meQuery)}>{(me) => <SetUp me={me} />}</Queried>
    </LoginFrame>
  )
}

function SetUp({ me: { secondFactor } }: { me: Me }) {
  const { t } = useTranslation('credentials-login')
  return (
    <>
      {secondFactor === 'to-enrol' && <p>{t('factor.required')}</p>}
      {secondFactor === 'on' && <p>{t('factor.another')}</p>}
      <Queried query={useQuery(newSecondFactorQuery)}>
        {(made) => <Confirm made={made} replaces={secondFactor === 'on'} />}
      </Queried>
      {secondFactor === 'to-enrol' ? (
        <LeaveButton />
      ) : (
        <LinkButton to="/account" variant="default">
          {t('factor.later')}
        </LinkButton>
      )}
    </>
  )
}

function Confirm({ made, replaces }: { made: NewSecondFactor; replaces: boolean }) {
  const { t } = useTranslation('credentials-login')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    setState({ busy: true })
    try {
      const me = await confirmSecondFactor(codesIn(new FormData(form)))
      queries.setQueryData(meQuery.queryKey, me)
      await navigate({ to: '/' })
    } catch (failure) {
      setState({ busy: false, failure })
      form.reset()
    }
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <AuthenticatorSecret {...made} />
      <CodeField description={t('factor.hint')} />
      {replaces && (
        <CodeField name="presentCode" label={t('factor.presentCode')} description={t('factor.presentHint')} />
      )}
      {state.failure !== undefined && <ProblemNote error={state.failure} />}
      <Button type="submit" loading={state.busy}>
        {t('factor.confirm')}
      </Button>
    </form>
  )
}

function codesIn(typed: FormData): { code: string; presentCode?: string } {
  const { code: presentCode } = codeIn(typed, 'presentCode')
  return { code: codeIn(typed).code ?? '', ...(presentCode !== undefined && { presentCode }) }
}
