import { answered, missed } from '../api/contact.ts'
import { CallFailure, refused } from '../api/request.ts'

/** How the files of one upload are to be signed. */
export interface UploadOptions {
  /** The default profile when absent. */
  readonly profile?: string
  /** By extension, or as the profile says, when absent. */
  readonly format?: string
}

/** Sends one file; resolves with the id of its job. `XMLHttpRequest`, because `fetch` tells nothing of its progress. */
export function sendFile(
  file: File,
  options: UploadOptions,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/files?${new URLSearchParams({ ...options })}`)
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      answered()
      if (request.status === 202) resolve((JSON.parse(request.responseText) as { jobId: string }).jobId)
      else reject(refused(request.status, request.responseText, request.getResponseHeader('retry-after')))
    }
    request.onerror = () => {
      missed()
      reject(new CallFailure({ kind: 'unreachable' }))
    }
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    form.append('file', file, file.name)
    request.send(form)
  })
}
