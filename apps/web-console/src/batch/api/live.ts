import type { QueryClient } from '@tanstack/react-query'
import { notStreaming, streaming } from '../../shared/api/contact.ts'

/** The queries that each topic of the stream invalidates, by the first word of their keys. */
const queriesOf: Readonly<Record<string, readonly string[]>> = {
  jobs: ['overview', 'conditions', 'jobs', 'job', 'failures', 'folders', 'events'],
  pipeline: ['pipeline', 'overview', 'conditions', 'system', 'events'],
  profiles: ['profiles', 'profile', 'conditions', 'folders', 'system', 'events'],
  folders: ['folders', 'system', 'events'],
  backup: ['backup', 'events'],
}

/** Shortest time between two refreshes of the same page, however fast jobs change. */
const GATHER_MS = 1000

/** Polling interval while the event stream is down. */
const POLL_MS = 5000

/** While it is up: the server drops updates for a browser that reads too slowly, and nothing else would repeat them. */
const REPAIR_MS = 30_000

/**
 * Asks the queries again whose keys begin with one of these words, or all. One in its first load would only join that
 * load, which may have been answered before the change: it is asked again afterwards.
 */
export function refreshQueries(queries: QueryClient, words?: ReadonlySet<string>): void {
  const predicate = ({ queryKey }: { readonly queryKey: readonly unknown[] }) => words?.has(String(queryKey[0])) ?? true
  for (const { promise, state, queryKey } of queries.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })) {
    const again = () => queries.invalidateQueries({ queryKey, exact: true })
    if (state.data === undefined) void promise?.then(again, again)
  }
  void queries.invalidateQueries({ predicate })
}

/** Refreshes the page's queries when the server's data changes, until the returned function is called. */
export function followServer(queries: QueryClient): () => void {
  const stale = new Set<string>()
  let gathering: ReturnType<typeof setTimeout> | undefined
  let source = open()
  const poll = setInterval(keepAlive, POLL_MS)
  const repair = setInterval(refreshWhenSeen, REPAIR_MS)
  document.addEventListener('visibilitychange', refreshWhenSeen)
  return () => {
    clearInterval(poll)
    clearInterval(repair)
    clearTimeout(gathering)
    document.removeEventListener('visibilitychange', refreshWhenSeen)
    source.close()
  }

  function open(): EventSource {
    const stream = new EventSource('/dashboard/api/live')
    stream.addEventListener('open', () => {
      streaming()
      // Anything may have changed while the stream was down, or while the page opened it.
      refreshQueries(queries)
    })
    stream.addEventListener('error', notStreaming)
    for (const [topic, keys] of Object.entries(queriesOf)) stream.addEventListener(topic, () => changed(keys))
    return stream
  }

  function changed(keys: readonly string[]) {
    streaming()
    for (const key of keys) stale.add(key)
    gathering ??= setTimeout(refresh, GATHER_MS)
  }

  function refresh() {
    gathering = undefined
    const due = new Set(stale)
    stale.clear()
    if (document.visibilityState === 'visible') refreshQueries(queries, due)
  }

  function keepAlive() {
    if (source.readyState === EventSource.OPEN || document.visibilityState !== 'visible') return
    refreshQueries(queries)
    // The browser never reconnects after an error response; the session may be valid again, or the server restarted.
    if (source.readyState === EventSource.CLOSED) source = open()
  }

  function refreshWhenSeen() {
    if (document.visibilityState === 'visible') refreshQueries(queries)
  }
}
