import { spawnSync } from 'node:child_process'
import { installed } from '../steps/run-command.mjs'

/** Source formatted by the project's formatter, so that generated code passes the same gate. */
export function formatted(path: string, source: string): string {
  const { status, stdout, stderr } = spawnSync(installed('biome'), ['format', `--stdin-file-path=${path}`], {
    input: source,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The source of ${path} cannot be formatted: ${stderr}`)
  return stdout
}
