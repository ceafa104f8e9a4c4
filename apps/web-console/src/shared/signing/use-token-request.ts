import { useCallback, useEffect, useRef, useState } from 'react'
import type { BegunRequest, TokenRequests } from './offers.ts'

export type TokenState<Outcome> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'beginning' }
  | { readonly kind: 'open'; readonly begun: BegunRequest; readonly isSigning: boolean }
  | { readonly kind: 'ended'; readonly begun: BegunRequest; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly error: unknown }

const LOOK_EVERY_MS = 1500

/** Looks that may fail in a row: a network that is away for a moment ends nothing. */
const PATIENCE = 5

/** A request that is answered at a computer: begun, looked at until it has ended, withdrawn when the page goes on. */
export function useTokenRequest<Outcome>(requests: TokenRequests<Outcome>) {
  const [state, setState] = useState<TokenState<Outcome>>({ kind: 'idle' })
  const asked = useRef(requests)
  asked.current = requests
  const openId = state.kind === 'open' ? state.begun.id : undefined

  const begin = useCallback(async () => {
    setState({ kind: 'beginning' })
    try {
      setState({ kind: 'open', begun: await asked.current.begin(), isSigning: false })
    } catch (error) {
      setState({ kind: 'failed', error })
    }
  }, [])

  const cancel = useCallback(() => setState({ kind: 'idle' }), [])

  useEffect(() => {
    if (openId === undefined) return
    return looking(asked, openId, setState)
  }, [openId])

  return { state, begin, cancel }
}

type Change<Outcome> = (change: (state: TokenState<Outcome>) => TokenState<Outcome>) => void

/** Looks until the request has ended; returns what withdraws it before. */
function looking<Outcome>(
  asked: { readonly current: TokenRequests<Outcome> },
  id: string,
  change: Change<Outcome>,
): () => void {
  let failures = 0
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = () => {
    timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  }
  async function look(): Promise<void> {
    try {
      const { state, outcome } = await asked.current.look(id)
      if (isOver) return
      failures = 0
      isOver = state === 'ended'
      change((before) => afterLook(before, state, outcome))
    } catch (error) {
      if (isOver) return
      failures++
      isOver = failures >= PATIENCE
      if (isOver) change(() => ({ kind: 'failed', error }))
    }
    if (!isOver) later()
  }
  later()
  return () => {
    clearTimeout(timer)
    // What nobody waits for any more leaves the screen of the computer.
    if (!isOver) asked.current.cancel(id).catch(() => {})
    isOver = true
  }
}

function afterLook<Outcome>(
  before: TokenState<Outcome>,
  state: 'waiting' | 'signing' | 'ended',
  outcome: Outcome | null,
): TokenState<Outcome> {
  if (before.kind !== 'open') return before
  if (state === 'ended') return { kind: 'ended', begun: before.begun, outcome: outcome! }
  const isSigning = state === 'signing'
  return before.isSigning === isSigning ? before : { ...before, isSigning }
}
