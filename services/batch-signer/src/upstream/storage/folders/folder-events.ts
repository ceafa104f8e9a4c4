import { type FSWatcher, watch } from 'node:fs'

/** Tells which names in a folder something happened to, as far as the system says; an enumeration catches the rest. */
export interface FolderEvents {
  close(): void
}

/** Listens to the system's events of a folder. Throws when the system has no more watches to give. */
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
