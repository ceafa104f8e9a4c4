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
import { SHORTEST_PASSWORD } from '../login/shortest-password.ts'
import classes from '../parts/parts.module.css'

/** One's own account: where it works, password and authenticator app. */
export function AccountPage() {
  const { t } = useTranslation('credentials-login')
  return (
    <>
      <PageHead title={t('account.title')} />
      <Queried query={useQuery(meQuery)}>
        {(me) => (
          <>
            <AccountFacts me={me} />
            <PasswordPanel />
            <FactorPanel me={me} />
          </>
        )}
      </Queried>
    </>
  )
}

function AccountFacts({ me: { name, email, subscriptions } }: { me: Me }) {
  const { t } = useTranslation(['credentials-login', 'credentials'])
  const places = subscriptions.map((one) => `${one.name} (${t(`credentials:role.${one.role}`)})`)
  return (
    <Facts
      rows={[
        [t('account.name'), name],
        [t('email'), email],
        [t('account.places'), places.join(', ')],
      ]}
    />
  )
}

const nothingTyped = { password: '', newPassword: '' }

function PasswordPanel() {
  const { t } = useTranslation('credentials-login')
  const [typed, setTyped] = useState(nothingTyped)
  const { run, busy } = useAction(changePassword, () => t('account.changed'))

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (await run(typed)) setTyped(nothingTyped)
  }

  const field = (name: keyof typeof nothingTyped) => ({
    required: true,
    maxLength: 200,
    visibilityToggleButtonProps: { 'aria-label': t('showPassword') },
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
  })
  return (
    <Panel title={t('password')} lead={t('account.passwordLead')}>
      <form className={classes.form} onSubmit={submit}>
        <PasswordInput label={t('account.present')} autoComplete="current-password" {...field('password')} />
        <PasswordInput
          label={t('account.new')}
          description={t('account.newHint', { count: SHORTEST_PASSWORD })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          minLength={SHORTEST_PASSWORD}
          {...field('newPassword')}
        />
        <Button
          type="submit"
          className={classes.whole!}
          loading={busy}
          leftSection={<KeyRound size={16} aria-hidden="true" />}
        >
          {t('account.change')}
        </Button>
      </form>
    </Panel>
  )
}

function FactorPanel({ me: { secondFactor } }: { me: Me }) {
  const { t } = useTranslation('credentials-login')
  return (
    <Panel title={t('account.factor')}>
      <p>{t(`account.factorText.${secondFactor}`)}</p>
      <LinkButton
        to="/second-factor"
        variant="default"
        className={classes.button!}
        leftSection={<Smartphone size={16} aria-hidden="true" />}
      >
        {t(secondFactor === 'on' ? 'account.another' : 'account.setUp')}
      </LinkButton>
    </Panel>
  )
}
