import { useCallback, useState } from 'react'
import { sendForm } from '../../shared/upload/send-form.ts'
import type { FileReference, UploadedFile } from '../api/types.ts'
import { newKey } from './new-key.ts'

/** The upload state of a file. */
export type FileState =
  | { readonly kind: 'sending'; readonly share: number }
  | { readonly kind: 'sent'; readonly uploadId: string }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface NewFile {
  readonly key: string
  readonly file: File
  readonly state: FileState
}

/** Sends a file; the service keeps it until it becomes part of a document. */
export function uploadFile(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadedFile> {
  const form = new FormData()
  form.append('content', file, file.name)
  return sendForm<UploadedFile>('/api/uploads', form, { onProgress, signal })
}

/** The file as a document takes it. */
export const referenceTo = (file: File, uploadId: string): FileReference => ({
  id: uploadId,
  name: file.name,
  displayName: file.name,
  contentType: contentTypeOf(file),
})

/** Default for types the browser does not know. */
const contentTypeOf = (file: File) => file.type || 'application/octet-stream'

export const isPdf = (file: File): boolean => file.type === 'application/pdf' || /\.pdf$/i.test(file.name)

/** The files chosen for new documents; each is uploaded as soon as it is chosen. */
export function useNewFiles() {
  const [files, setFiles] = useState<readonly NewFile[]>([])

  const setState = useCallback(
    (key: string, state: FileState) => setFiles((all) => all.map((one) => (one.key === key ? { ...one, state } : one))),
    [],
  )

  const send = useCallback(
    (key: string, file: File) => {
      setState(key, { kind: 'sending', share: 0 })
      uploadFile(file, (share) => setState(key, { kind: 'sending', share }), new AbortController().signal).then(
        ({ id }) => setState(key, { kind: 'sent', uploadId: id }),
        (error: unknown) => setState(key, { kind: 'failed', error }),
      )
    },
    [setState],
  )

  function add(chosen: readonly File[]) {
    const added = chosen.map((file) => ({
      key: newKey(),
      file,
      state: { kind: 'sending', share: 0 } as const,
    }))
    setFiles((all) => [...all, ...added])
    for (const { key, file } of added) send(key, file)
  }

  return {
    files,
    add,
    again: ({ key, file }: NewFile) => send(key, file),
    remove: (key: string) => setFiles((all) => all.filter((one) => one.key !== key)),
  }
}
