import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quietly, root } from './run-command.mjs'

const lockfile = join(root, 'package-lock.json')
/** What npm itself writes when an install is complete. */
const receipt = join(root, 'node_modules/.package-lock.json')
const stamp = join(root, 'node_modules/.chancela-installed')

/** Installs exactly what the lockfile says, unless that is what is there. */
export async function ensureInstalled() {
  if (existsSync(receipt) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()) return
  if (!isReceiptNewer()) {
    await quietly('Installing dependencies (first start, or the lockfile changed)', 'npm', ['ci', '--loglevel=error'])
  }
  writeFileSync(stamp, fingerprint())
}

/** A developer's own `npm install` leaves a receipt that is newer than the lockfile it wrote. */
const isReceiptNewer = () => existsSync(receipt) && statSync(receipt).mtimeMs >= statSync(lockfile).mtimeMs

function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  return `${hash} ${process.platform} ${process.arch}`
}
