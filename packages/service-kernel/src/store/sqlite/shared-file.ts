import { Channels } from '../channels.ts'
import { ConnectionLock } from './connection-lock.ts'

/** State shared by all stores of this process on one SQLite file. */
export interface SharedFile {
  readonly lock: ConnectionLock
  readonly channels: Channels
  /** Leaves the file; the last user drops the shared state. */
  leave(): void
}

const files = new Map<string, { lock: ConnectionLock; channels: Channels; users: number }>()

/** Joins the other stores of this process on the file at `path`; an in-memory store is always alone. */
export function shareFile(path: string): SharedFile {
  if (path === ':memory:') return { lock: new ConnectionLock(), channels: new Channels(), leave: () => undefined }
  const file = files.get(path) ?? { lock: new ConnectionLock(), channels: new Channels(), users: 0 }
  files.set(path, file)
  file.users += 1
  return {
    lock: file.lock,
    channels: file.channels,
    leave: () => {
      file.users -= 1
      if (file.users === 0) files.delete(path)
    },
  }
}
