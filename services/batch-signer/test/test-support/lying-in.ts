import { readdirSync } from 'node:fs'

/** What users see in a folder: without the files by which the service knows it, and tries whether it can write there. */
export const lyingIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => !name.startsWith('.'))
