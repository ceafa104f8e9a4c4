import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quietly, root } from './run-command.mjs'

const stamp = join(root, 'node_modules/.chancela-installed')

/** Installs exactly what the lockfile says, once per lockfile and Node major (the native parts are N-API, but optional ones are chosen by platform). */
export async function ensureInstalled() {
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  await quietly('Installing dependencies (first start, or the lockfile changed)', 'npm', ['ci', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

function fingerprint() {
  const lockfile = readFileSync(join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lockfile).digest('hex')
  return `${hash} ${process.platform} ${process.arch}`
}
