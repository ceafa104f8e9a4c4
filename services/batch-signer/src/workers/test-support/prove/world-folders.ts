import { join } from 'node:path'

/** Small, so that files of 100 KB are already handled as large ones. */
export const IN_MEMORY_BYTES = 65_536

/** The operator's key in a world. */
export const API_KEY = 'the key of the operator of a world'

/**
 * The watched folders; each has a profile of the same name. `quiet` is never rescanned: what failed or was canceled there
 * has no word of an operator.
 */
export const inputNames = ['default', 'remittances', 'quiet'] as const

export type InputName = (typeof inputNames)[number]

/** The folders of a world. What the consumer took lies outside of what the service knows. */
export const foldersOf = (root: string) => ({
  input: (name: InputName) => join(root, 'in', name),
  inputs: join(root, 'in'),
  work: join(root, 'work'),
  output: join(root, 'work', 'output'),
  processing: join(root, 'work', 'processing'),
  error: join(root, 'work', 'error'),
  taken: join(root, 'taken'),
})
