import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { CallFailure, refusalCode } from '../../shared/api/request.ts'
import { localPath } from '../../shared/frame/local-path.ts'
import { passkeyForSignIn, signInWithPasskey } from '../api/passkeys.ts'
import { meQuery, signIn } from '../api/session.ts'
import type { Me } from '../api/types.ts'

const nothingTyped = { email: '', password: '', code: '' }

const nothingAsked = { busy: false, asksCode: false, factors: [] }

export type SignIn = ReturnType<typeof useSignIn>

type Factors = Me['factors']

/** What the service says is set up, when it asks for a second factor. */
const factorsIn = (failure: unknown): Factors =>
  failure instanceof CallFailure && failure.reason.kind === 'refused'
    ? ((failure.reason.problem.details.factors as Factors | undefined) ?? [])
    : []

/** Signs in, asks for the second factor when the service does, and redirects to the page the visitor asked for. */
export function useSignIn() {
  const queries = useQueryClient()
  const router = useRouter()
  const { ReturnUrl } = useSearch({ from: '/login' })
  const [typed, setTyped] = useState(nothingTyped)
  const [state, setState] = useState<{ busy: boolean; asksCode: boolean; factors: Factors; failure?: unknown }>(
    nothingAsked,
  )

  async function attempt(sign: () => Promise<Me>) {
    const { asksCode, factors } = state
    setState({ busy: true, asksCode, factors })
    try {
      const me = await sign()
      queries.clear()
      queries.setQueryData(meQuery.queryKey, me)
      router.history.push(localPath(ReturnUrl))
    } catch (failure) {
      if (refusalCode(failure) === 'CODE_REQUIRED')
        setState({ busy: false, asksCode: true, factors: factorsIn(failure) })
      else setState({ busy: false, asksCode, factors, failure })
      // A code can be used only once.
      setTyped((now) => ({ ...now, code: '' }))
    }
  }

  const { code, ...credentials } = typed

  function submit(event: FormEvent) {
    event.preventDefault()
    void attempt(() => signIn(state.asksCode ? { ...credentials, code } : credentials))
  }

  /** Alone, or after the password in place of a code. */
  const withPasskey = () =>
    attempt(
      state.asksCode ? async () => signIn({ ...credentials, passkey: await passkeyForSignIn() }) : signInWithPasskey,
    )

  return {
    ...state,
    typed,
    withPasskey,
    type: (some: Partial<typeof nothingTyped>) => setTyped((now) => ({ ...now, ...some })),
    submit,
    back: () => setState(nothingAsked),
  }
}
