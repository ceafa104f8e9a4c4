import { spawnSync } from 'node:child_process'
import { installed } from '../steps/run-command.mjs'

/** Source as the project's formatter writes it, so that what is generated passes the same gate as what is not. */
export function formatted(path: string, source: string): string {
  const { status, stdout, stderr } = spawnSync(installed('biome'), ['format', `--stdin-file-path=${path}`], {
    input: source,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The source of ${path} cannot be formatted: ${stderr}`)
  return stdout
}
