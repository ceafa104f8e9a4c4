import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { refusalCode } from '../../shared/api/request.ts'
import { localPath } from '../../shared/frame/local-path.ts'
import { meQuery, signIn } from '../api/session.ts'

const nothingTyped = { email: '', password: '', code: '' }

export type SignIn = ReturnType<typeof useSignIn>

/** Signs in, asks for the code when the service does, and redirects to the page the visitor asked for. */
export function useSignIn() {
  const queries = useQueryClient()
  const router = useRouter()
  const { ReturnUrl } = useSearch({ from: '/login' })
  const [typed, setTyped] = useState(nothingTyped)
  const [state, setState] = useState<{ busy: boolean; asksCode: boolean; failure?: unknown }>({
    busy: false,
    asksCode: false,
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const { asksCode } = state
    setState({ busy: true, asksCode })
    try {
      const { code, ...credentials } = typed
      const me = await signIn(asksCode ? { ...credentials, code } : credentials)
      queries.clear()
      queries.setQueryData(meQuery.queryKey, me)
      router.history.push(localPath(ReturnUrl))
    } catch (failure) {
      if (refusalCode(failure) === 'CODE_REQUIRED') setState({ busy: false, asksCode: true })
      else setState({ busy: false, asksCode, failure })
      // A code can be used only once.
      setTyped((now) => ({ ...now, code: '' }))
    }
  }

  return {
    ...state,
    typed,
    type: (some: Partial<typeof nothingTyped>) => setTyped((now) => ({ ...now, ...some })),
    submit,
    back: () => setState({ busy: false, asksCode: false }),
  }
}
