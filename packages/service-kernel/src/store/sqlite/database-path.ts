import { resolve } from 'node:path'
import type { OpenStoreOptions } from '../open-store.ts'

/** An in-memory database, which ends with its process. */
export const MEMORY = ':memory:'

/** The file of a URL that begins with `sqlite:`, or `MEMORY`. */
export function databasePath({ url, dataFolder }: Pick<OpenStoreOptions, 'url' | 'dataFolder'>): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')
  return path === MEMORY ? path : resolve(dataFolder ?? '', path)
}
