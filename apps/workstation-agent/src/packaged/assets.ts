import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'

/** A file that is carried in the executable; in a package that is no executable it stands beside the program. */
export const readAsset = (name: string): Buffer =>
  isSea() ? Buffer.from(getRawAsset(name) as ArrayBuffer) : readFileSync(join(import.meta.dirname, name))
