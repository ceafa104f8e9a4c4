import { answered, missed } from '../api/contact.ts'
import { CallFailure, refused } from '../api/request.ts'

export interface SendOptions {
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
  /** Sent besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a form with a file. */
export const sendForm = <Answer>(address: string, form: FormData, options: SendOptions = {}) =>
  sendBody<Answer>(address, form, options)

/** Sends a form or a file; resolves with the JSON answer. `XMLHttpRequest`, because `fetch` reports no progress. */
export function sendBody<Answer>(
  address: string,
  body: FormData | File,
  { onProgress, signal, headers = {} }: SendOptions = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    request.setRequestHeader('accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (onProgress) request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      answered()
      const { status, responseText } = request
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText) as Answer)
      else reject(refused(status, responseText, (name) => request.getResponseHeader(name)))
    }
    request.onerror = () => {
      missed()
      reject(new CallFailure({ kind: 'unreachable' }))
    }
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
