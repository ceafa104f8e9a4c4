import { Channels } from '../channels.ts'
import { ConnectionLock } from './connection-lock.ts'

/** What all stores of this process on one SQLite file have in common. */
export interface SharedFile {
  readonly lock: ConnectionLock
  readonly channels: Channels
  /** Gives the share back; the last user's leaving forgets the file. */
  leave(): void
}

const files = new Map<string, { lock: ConnectionLock; channels: Channels; users: number }>()

/** Joins the other stores of this process on the file at `path`; a store in memory is always alone. */
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
