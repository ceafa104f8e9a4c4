import { setTimeout as sleep } from 'node:timers/promises'

/** An unexpected answer of the document platform. */
export class PlatformRefusal extends Error {
  override readonly name = 'PlatformRefusal'
  /** The error code clients dispatch on; undefined when something other than the platform answered. */
  readonly code: string | undefined

  constructor(sentence: string, said: string) {
    super(`${sentence}: ${said}`)
    this.code = codeIn(said)
  }
}

/** Calls the document platform over HTTP with a key, as any application would. */
export function platformCaller(baseUrl: string, apiKey: string) {
  const send = (method: string, path: string, body?: object) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'X-Api-Key': apiKey, ...(body && !isForm(body) && { 'Content-Type': 'application/json' }) },
      ...(body && { body: isForm(body) ? body : JSON.stringify(body) }),
    })
  const accepted = async (method: string, path: string, body?: object) => {
    const answer = await send(method, path, body)
    if (answer.ok) return answer
    const sentence = `The document platform: ${method} ${path} answered ${answer.status}`
    throw new PlatformRefusal(sentence, await answer.text())
  }
  const isKnown = async () => (await send('GET', '/api/documents?limit=0')).status === 200
  return {
    isKnown,
    async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
      const text = await (await accepted(method, path, body)).text()
      return (text === '' ? undefined : JSON.parse(text)) as Answer
    },
    async bytes(path: string): Promise<Buffer> {
      return Buffer.from(await (await accepted('GET', path)).arrayBuffer())
    },
    /** A new key is accepted only after a moment. */
    async untilKnown(): Promise<void> {
      while (!(await isKnown())) await sleep(20)
    },
  }
}

export type PlatformCaller = ReturnType<typeof platformCaller>

function codeIn(said: string): string | undefined {
  try {
    return (JSON.parse(said) as { code?: string }).code
  } catch {
    return undefined // not JSON, so something other than the platform answered
  }
}

const isForm = (body: object): body is FormData => body instanceof FormData
