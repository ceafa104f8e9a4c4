import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProduct } from '../../shared/bundle.ts'
import { localPath } from '../../shared/frame/local-path.ts'
import classes from '../../shared/frame/login.module.css'
import { Switches } from '../../shared/frame/switches.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { Seal } from '../../shared/seal.tsx'
import { meQuery, signIn } from '../api/session.ts'

/** The way in for users of organizations. */
export function LoginPage() {
  const { t } = useTranslation('documents-login')
  const product = useProduct()
  const { busy, failure, submit } = useSignIn()
  useEffect(() => {
    document.title = `${t('title')} · ${product}`
  }, [t, product])
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Seal size={44} />
          <div>
            <p translate="no" className={classes.name}>
              Chancela
            </p>
            <p className={classes.product}>{product}</p>
          </div>
        </div>
        <h1 className={classes.title}>{t('title')}</h1>
        {failure !== undefined && <ProblemNote error={failure} />}
        <form className={classes.form} onSubmit={submit}>
          <TextInput name="email" type="email" label={t('email')} autoComplete="username" autoFocus required />
          <PasswordInput
            name="password"
            label={t('password')}
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          />
          <Button type="submit" loading={busy} leftSection={<LogIn size={16} aria-hidden="true" />}>
            {t('signIn')}
          </Button>
        </form>
        <Link to="/validate">{t('validate')}</Link>
        <Switches />
      </div>
    </main>
  )
}

/** Signs in and goes on to where the visitor was going. */
function useSignIn() {
  const queries = useQueryClient()
  const router = useRouter()
  const { ReturnUrl } = useSearch({ from: '/login' })
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    setState({ busy: true })
    try {
      const me = await signIn(String(typed.get('email')), String(typed.get('password')))
      queries.clear()
      queries.setQueryData(meQuery.queryKey, me)
      router.history.push(localPath(ReturnUrl))
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }

  return { ...state, submit }
}
