/** What came back of a call; undefined when the process died, before or after it wrote. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
  readonly body: any
  readonly cookie: string | undefined
}

interface Asked {
  readonly body?: object
  /** The key of an operator. */
  readonly key?: string
  /** The session of an approver. */
  readonly cookie?: string
}

export type Call = (method: string, path: string, asked?: Asked) => Promise<Answer | undefined>

/** Calls one of the processes that live, chosen anew each time. */
export function callerOf(pick: () => string | undefined): Call {
  return async (method, path, { body, key, cookie } = {}) => {
    const baseUrl = pick()
    if (baseUrl === undefined) return undefined
    try {
      const answer = await fetch(new URL(path, baseUrl), {
        method,
        redirect: 'manual',
        headers: {
          ...(key !== undefined && { 'X-API-Key': key }),
          ...(cookie !== undefined && { cookie }),
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      const [given] = answer.headers.getSetCookie()
      return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {}, cookie: given?.split(';')[0] }
    } catch {
      return undefined
    }
  }
}
