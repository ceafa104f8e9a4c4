import { type FSWatcher, watch } from 'node:fs'

/** Reports changed names in a folder, as far as the system does; an enumeration finds the rest. */
export interface FolderEvents {
  close(): void
}

/** Listens to the system's events of a folder. Throws when the system has no watches left. */
export function listenToFolder(
  folder: string,
  onName: (name: string) => void,
  onLost: (error: unknown) => void,
): FolderEvents {
  const watcher: FSWatcher = watch(folder, { persistent: false }, (_kind, name) => {
    if (name !== null) onName(name)
  })
  watcher.on('error', (error) => {
    watcher.close()
    onLost(error)
  })
  return { close: () => watcher.close() }
}
