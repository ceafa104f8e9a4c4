import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { sendFile, type UploadOptions } from './send-file.ts'
import { type FileState, runUploads } from './upload-queue.ts'

/** A file chosen for upload, and its progress. */
export interface Upload {
  readonly file: File
  readonly state: FileState
}

/** Runs an upload and reports its progress. */
export function useUploads() {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [running, setRunning] = useState(false)
  const abort = useRef(new AbortController())

  const setState = (index: number, state: FileState) =>
    setUploads((all) => all.map((one, at) => (at === index ? { ...one, state } : one)))

  async function start(files: readonly File[], options: UploadOptions) {
    abort.current = new AbortController()
    const { signal } = abort.current
    setUploads(files.map((file) => ({ file, state: { kind: 'waiting' } })))
    setRunning(true)
    await runUploads(files, {
      send: (file, onProgress) => sendFile(file, options, onProgress, signal),
      pause: (seconds) => wait(seconds, signal),
      isStopped: () => signal.aborted,
      onState: setState,
    })
    setRunning(false)
    void queries.invalidateQueries()
  }

  return { uploads, running, start, stop: () => abort.current.abort(), reset: () => setUploads([]) }
}

const wait = (seconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
