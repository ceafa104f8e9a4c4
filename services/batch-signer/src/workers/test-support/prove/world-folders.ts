import { join } from 'node:path'

/** Small, so that files of 100 KB are already handled as large ones. */
export const IN_MEMORY_BYTES = 65_536

export const databaseUrl = (root: string): string => `sqlite:${join(root, 'db', 'batch-signer.db')}`
