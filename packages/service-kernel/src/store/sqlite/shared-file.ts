import { Channels } from '../channels.ts'
import { Turns } from './turns.ts'

/** What all stores of this process on one SQLite file have in common. */
export interface SharedFile {
  readonly turns: Turns
  readonly channels: Channels
  /** Gives the share back; the last user's leaving forgets the file. */
  leave(): void
}

const files = new Map<string, { turns: Turns; channels: Channels; users: number }>()

/** Joins the other stores of this process on the file at `path`; a store in memory is always alone. */
export function shareFile(path: string): SharedFile {
  if (path === ':memory:') return { turns: new Turns(), channels: new Channels(), leave: () => undefined }
  const file = files.get(path) ?? { turns: new Turns(), channels: new Channels(), users: 0 }
  files.set(path, file)
  file.users += 1
  return {
    turns: file.turns,
    channels: file.channels,
    leave: () => {
      file.users -= 1
      if (file.users === 0) files.delete(path)
    },
  }
}
