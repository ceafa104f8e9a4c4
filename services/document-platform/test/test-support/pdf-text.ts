import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'

/** The visible text of a PDF. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const path = join(temporaryFolder(), 'read.pdf')
  writeFileSync(path, bytes)
  return (await runTool('pdftotext', ['-layout', path, '-'])).stdout.toString('utf8')
}
