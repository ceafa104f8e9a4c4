import { Button, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../shared/parts/facts.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changePassword, meQuery } from '../api/session.ts'
import type { Me } from '../api/types.ts'
import classes from './account.module.css'
import { MIN_PASSWORD_LENGTH } from './administrator-dialogs.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** The administrator's own password and authenticator app. */
export function AccountPage() {
  const { t } = useTranslation('console-administrators')
  const query = useQuery(meQuery)
  return (
    <>
      <PageHead title={t('account.title')} />
      <Queried query={query}>
        {(me) => (
          <>
            <Facts
              rows={[
                [t('account.name'), me.name],
                [t('account.email'), me.email],
                [t('account.role'), `${t(`roles.${me.role}`)}: ${t(`roleTexts.${me.role}`)}`],
              ]}
            />
            {me.way === 'password' ? (
              <>
                <PasswordPanel />
                <PasskeysPanel />
                <FactorPanel me={me} />
              </>
            ) : (
              <p>{t('account.provider')}</p>
            )}
            <OwnSessions />
          </>
        )}
      </Queried>
    </>
  )
}

const nothingTyped = { password: '', newPassword: '' }

function PasswordPanel() {
  const { t } = useTranslation(['console-administrators', 'console'])
  const [typed, setTyped] = useState(nothingTyped)
  const { run, busy } = useAction(
    () => changePassword(typed),
    () => t('account.changed'),
  )

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (await run(undefined)) setTyped(nothingTyped)
  }

  const field = (name: keyof typeof nothingTyped) => ({
    required: true,
    maxLength: 200,
    visibilityToggleButtonProps: { 'aria-label': t('console:showPassword') },
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
  })
  return (
    <Panel title={t('account.password')} lead={t('account.passwordLead')}>
      <form className={classes.form} onSubmit={submit}>
        <PasswordInput label={t('account.present')} autoComplete="current-password" {...field('password')} />
        <PasswordInput
          label={t('account.new')}
          description={t('account.newHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          {...field('newPassword')}
        />
        <Button type="submit" loading={busy} leftSection={<KeyRound size={16} aria-hidden="true" />}>
          {t('account.change')}
        </Button>
      </form>
    </Panel>
  )
}

function FactorPanel({ me: { secondFactor, factors } }: { me: Me }) {
  const { t } = useTranslation('console-administrators')
  const hasApp = factors.includes('app')
  return (
    <Panel title={t('account.factor')}>
      <p>{t(`account.factorText.${hasApp ? 'on' : 'off'}`)}</p>
      <LinkButton
        to="/second-factor"
        variant="default"
        className={classes.button!}
        leftSection={<Smartphone size={16} aria-hidden="true" />}
      >
        {t(hasApp ? 'account.another' : 'account.setUp')}
      </LinkButton>
      {secondFactor === 'on' && <RecoveryCodes />}
    </Panel>
  )
}
