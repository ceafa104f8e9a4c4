import { useState } from 'react'

/** Runs one action at a time and keeps its error. */
export function useAttempt() {
  const [state, setState] = useState<{ busy: boolean; failure?: unknown }>({ busy: false })
  async function attempt(act: () => Promise<unknown>): Promise<void> {
    setState({ busy: true })
    try {
      await act()
      setState({ busy: false })
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }
  return { ...state, attempt }
}
