import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refusalCode } from '../../shared/api/request.ts'
import { meQuery } from '../api/session.ts'
import type { Me } from '../api/types.ts'

interface State {
  readonly busy: boolean
  readonly failure?: unknown
  /** Once the service asked for the code of the authenticator app. */
  readonly asksCode?: boolean
}

/** Signs somebody in; asks for the code where the account has an authenticator app. */
export function useEntering(onEntered: () => unknown) {
  const queries = useQueryClient()
  const [state, setState] = useState<State>({ busy: false })
  const kept = ({ asksCode }: State): Pick<State, 'asksCode'> => (asksCode ? { asksCode } : {})

  async function enter(answer: () => Promise<Me>): Promise<void> {
    setState((former) => ({ busy: true, ...kept(former) }))
    try {
      const me = await answer()
      queries.clear()
      queries.setQueryData(meQuery.queryKey, me)
      await onEntered()
    } catch (failure) {
      // The password was right.
      if (refusalCode(failure) === 'code-required') setState({ busy: false, asksCode: true })
      else setState((former) => ({ busy: false, failure, ...kept(former) }))
    }
  }

  return { ...state, enter }
}
