import { sendForm } from '../../shared/upload/send-form.ts'

/** How the files of one upload are to be signed. */
export interface UploadOptions {
  /** The default profile when absent. */
  readonly profile?: string
  /** By extension, or by the profile's setting, when absent. */
  readonly format?: string
}

/** Sends one file; resolves with the id of its job. */
export async function sendFile(
  file: File,
  options: UploadOptions,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData()
  form.append('file', file, file.name)
  const address = `/api/files?${new URLSearchParams({ ...options })}`
  return (await sendForm<{ jobId: string }>(address, form, { onProgress, signal })).jobId
}
