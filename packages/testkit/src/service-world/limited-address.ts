/** What a service that trusts this machine as a proxy has to be started with. */
export const behindProxy = { TrustedProxies: ['127.0.0.1', '::1'] } as const

interface Limited {
  readonly baseUrl: string
  /** What everybody may ask. */
  readonly path: string
  /** Calls that one address has. */
  readonly permits: number
}

interface Outcome {
  /** Statuses of the calls within the limit, and of the one beyond it. */
  readonly within: readonly number[]
  readonly beyond: number
  /** The header of the call beyond. */
  readonly retryAfter: string | null
  /** The status that another address gets then. */
  readonly elsewhere: number
}

/** Uses up the calls of one address, and looks what it and another one get afterwards. */
export async function usedUp({ baseUrl, path, permits }: Limited): Promise<Outcome> {
  const from = async (address: string) => {
    const answer = await fetch(`${baseUrl}${path}`, { headers: { 'x-forwarded-for': address } })
    await answer.arrayBuffer()
    return answer
  }
  const within: number[] = []
  for (let call = 0; call < permits; call += 1) within.push((await from('203.0.113.7')).status)
  const beyond = await from('203.0.113.7')
  const elsewhere = await from('198.51.100.9')
  return {
    within,
    beyond: beyond.status,
    retryAfter: beyond.headers.get('retry-after'),
    elsewhere: elsewhere.status,
  }
}
