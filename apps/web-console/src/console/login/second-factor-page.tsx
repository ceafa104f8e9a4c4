import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Fingerprint, LogOut } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onSessionLost } from '../../shared/api/request.ts'
import { AuthenticatorSecret } from '../../shared/authenticator/authenticator-secret.tsx'
import { hasPasskeys } from '../../shared/authenticator/browser-passkeys.ts'
import classes from '../../shared/frame/login.module.css'
import { LoginFrame } from '../../shared/frame/login-frame.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { AddPasskeyDialog } from '../administrators/passkey-dialogs.tsx'
import { confirmSecondFactor, meQuery, newSecondFactorQuery, waysQuery } from '../api/session.ts'
import type { Me, NewSecondFactor } from '../api/types.ts'
import { useLeave } from '../frame/use-leave.ts'
import { CodeField } from './code-field.tsx'

/** Sets up an authenticator app: at the first sign-in, where nothing else is allowed before, or as a replacement. */
export function SecondFactorPage() {
  const { t } = useTranslation('console-login')
  const navigate = useNavigate()
  useEffect(() => onSessionLost(() => void navigate({ to: '/login', search: {} })), [navigate])
  const me = useQuery(meQuery)
  return (
    <LoginFrame title={t('factor.title')}>
      <Queried query={me}>{(known) => <SetUp me={known} />}</Queried>
    </LoginFrame>
  )
}

function SetUp({ me }: { me: Me }) {
  const { t } = useTranslation('console-login')
  const secret = useQuery(newSecondFactorQuery)
  const hasApp = me.factors.includes('app')
  return (
    <>
      {me.secondFactor === 'to-enrol' && <p>{t('factor.required')}</p>}
      {hasApp && <p>{t('factor.another')}</p>}
      <Queried query={secret}>{(made) => <Confirm made={made} replaces={hasApp} />}</Queried>
      {me.secondFactor === 'to-enrol' && <PasskeyInstead />}
      {me.secondFactor === 'to-enrol' ? (
        <LeaveButton />
      ) : (
        <LinkButton to="/account" variant="default">
          {t('factor.later')}
        </LinkButton>
      )}
    </>
  )
}

/** A passkey is a second factor, too, and the better one. */
function PasskeyInstead() {
  const { t } = useTranslation(['console-passkeys', 'console-login'])
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data: ways } = useQuery(waysQuery)
  const [isOpen, setIsOpen] = useState(false)
  if (!ways?.passkey || !hasPasskeys()) return null
  const goOn = async () => {
    await queries.refetchQueries({ queryKey: meQuery.queryKey })
    await navigate({ to: '/' })
  }
  return (
    <>
      <p className={classes.or}>{t('console-login:or')}</p>
      <p>{t('instead')}</p>
      <Button
        variant="default"
        classNames={{ root: classes.long!, label: classes.longLabel! }}
        leftSection={<Fingerprint size={16} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      >
        {t('add')}
      </Button>
      {isOpen && <AddPasskeyDialog onAdded={goOn} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function LeaveButton() {
  const { t } = useTranslation('console')
  const leave = useLeave()
  const [failure, setFailure] = useState<unknown>()
  return (
    <>
      {failure !== undefined && <ProblemNote error={failure} />}
      <Button
        variant="default"
        leftSection={<LogOut size={16} aria-hidden="true" />}
        onClick={() => void leave().catch(setFailure)}
      >
        {t('signOut')}
      </Button>
    </>
  )
}

function Confirm({ made, replaces }: { made: NewSecondFactor; replaces: boolean }) {
  const { t } = useTranslation('console-login')
  const { codes, setCodes, busy, failure, submit } = useConfirm(replaces)
  return (
    <form className={classes.form} onSubmit={submit}>
      <AuthenticatorSecret {...made} />
      <CodeField value={codes.code} description={t('factor.hint')} onChange={(code) => setCodes({ ...codes, code })} />
      {replaces && (
        <CodeField
          value={codes.presentCode}
          label={t('factor.presentCode')}
          orRecovery
          description={t('factor.presentHint')}
          onChange={(presentCode) => setCodes({ ...codes, presentCode })}
        />
      )}
      {failure !== undefined && <ProblemNote error={failure} />}
      <Button type="submit" loading={busy}>
        {t('factor.confirm')}
      </Button>
    </form>
  )
}

const nothingTyped = { code: '', presentCode: '' }

function useConfirm(replaces: boolean) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [codes, setCodes] = useState(nothingTyped)
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setState({ busy: true })
    try {
      queries.setQueryData(meQuery.queryKey, await confirmSecondFactor(replaces ? codes : { code: codes.code }))
      await navigate({ to: '/' })
    } catch (failure) {
      setState({ busy: false, failure })
      setCodes(nothingTyped)
    }
  }

  return { ...state, codes, setCodes, submit }
}
