import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenDone } from '../test-files/file-hooks.ts'

/** A folder of the running test, removed after the test; created by a hook, after the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-test-'))
  whenDone(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
